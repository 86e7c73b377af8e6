package plugintest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// testSorted has programs that may have no result for cycles settle on graphs without one, in topological order: they
// come without Diverged then.
func testSorted(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	for _, a := range programs(describe(t, device)) {
		t.Run(a.Name, func(t *testing.T) {
			for range 4 * graphs(t) {
				g, order := sortedGraph(r)
				args, ok := bind(t, r, a, g)
				if !ok {
					continue
				}
				p, err := a.Program(args)
				if err != nil {
					t.Fatal(err)
				}
				if p.Diverged == "" || p.Exactly || p.MaxIterations > 0 {
					continue
				}
				p.Diverged = ""
				if p.Edges == algorithms.Backward {
					slices.Reverse(order)
				}
				m := mode{name: "settled in topological order", settled: true, active: true, sorted: order,
					partition: partition{rows: 3, cols: 2, whole: true}}
				got, err := runProgram(t, r, device, g, p, m)
				if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
					t.Skipf("the device does not do it: %v", err)
				}
				want, wantErr := a.Oracle(g, args)
				if err := judge(a, g, args, a.ResultOf(got.values), err, want, wantErr); err != nil {
					t.Errorf("%d vertices, %d edges, %+v: %v", g.N(), edgeCount(g), args, err)
				}
			}
		})
	}
}

// sortedGraph is a directed graph without cycles, which may have parallel edges, and its vertices in topological order.
func sortedGraph(r *rand.Rand) (g *algorithms.Graph, order []int) {
	n := 2 + r.IntN(100)
	order = r.Perm(n)
	edges := []algorithms.Edge{newEdge(r, order[0], order[1])}
	for range r.IntN(4 * n) {
		if u, v := r.IntN(n), r.IntN(n); u != v {
			edges = append(edges, newEdge(r, order[min(u, v)], order[max(u, v)]))
		}
	}
	return newGraph(true, randomIDs(r, n), edges), order
}
