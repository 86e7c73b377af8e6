package extensions

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// Sorted has programs that may have no result for cycles settle on graphs without one, in topological order: they
// come without Diverged then.
func Sorted(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	for _, a := range trial.Programs(drive.Describe(t, device)) {
		t.Run(a.Name, func(t *testing.T) {
			for range 4 * drawn.Graphs(t) {
				g, order := sortedGraph(r)
				args, ok := drawn.Bind(t, r, a, g)
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
				m := drive.Mode{Name: "settled in topological order", Settled: true, Active: true, Sorted: order,
					Partition: drive.Partition{Rows: 3, Cols: 2, Whole: true}}
				got, err := trial.RunProgram(t, r, device, g, p, m)
				if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
					t.Skipf("the device does not do it: %v", err)
				}
				want, wantErr := a.Oracle(g, args)
				if err := trial.Judge(a, g, args, a.ResultOf(got.Values), err, want, wantErr); err != nil {
					t.Errorf("%d vertices, %d edges, %+v: %v", g.N(), drawn.EdgeCount(g), args, err)
				}
			}
		})
	}
}

// sortedGraph is a directed graph without cycles, which may have parallel edges, and its vertices in topological order.
func sortedGraph(r *rand.Rand) (g *algorithms.Graph, order []int) {
	n := 2 + r.IntN(100)
	order = r.Perm(n)
	return drawn.NewGraph(true, drawn.RandomIDs(r, n), sortedEdges(r, order)), order
}

// sortedEdges are those of such a graph, whose vertices are in that order.
func sortedEdges(r *rand.Rand, order []int) []algorithms.Edge {
	n, edges := len(order), []algorithms.Edge{drawn.NewEdge(r, order[0], order[1])}
	for range r.IntN(4 * n) {
		if u, v := r.IntN(n), r.IntN(n); u != v {
			edges = append(edges, drawn.NewEdge(r, order[min(u, v)], order[max(u, v)]))
		}
	}
	return edges
}

// almostSorted is a graph without cycles, but for one of two vertices, which leads to others, and to which nothing
// leads.
func almostSorted(r *rand.Rand) *algorithms.Graph {
	n := 200 + r.IntN(200)
	order := r.Perm(n)
	a, b := order[0], order[1]
	edges := sortedEdges(r, order[2:])
	for range 3 {
		edges = append(edges, drawn.NewEdge(r, a, b), drawn.NewEdge(r, b, a), drawn.NewEdge(r, a, order[2+r.IntN(n-2)]))
	}
	return drawn.NewGraph(true, drawn.RandomIDs(r, n), edges)
}
