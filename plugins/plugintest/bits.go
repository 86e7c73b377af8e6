package plugintest

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// fractions is a program whose result depends on the order of every sum.
func fractions() *algorithms.Program {
	expr := func(source string) algorithms.Expr { return algorithms.Expr{Source: source} }
	return &algorithms.Program{
		Name: "fractions",
		State: []algorithms.State{{Name: "x", Type: algorithms.Float,
			Init: expr("1.0 / double(id + 3)"), Apply: expr("0.3 * acc + 0.7 * agg.total / double(n)")}},
		Process:       expr("src.x / (0.1 + double(src.out_degree))"),
		Reduce:        algorithms.Sum,
		Activity:      algorithms.Always,
		MaxIterations: 3,
		Exactly:       true,
		Aggregates:    []algorithms.Aggregate{{Name: "total", Expr: expr("self.x / 3.0")}},
	}
}

// testSameBits: the same chunks, program and threads give the same bits.
func testSameBits(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	g := denseGraph(r, 1500, 40_000)
	p := sample(t, r, device, g, 2)
	for _, m := range []mode{modes[0], modes[3]} {
		seed := r.Uint64()
		again := func() (outcome, error) {
			same := rand.New(rand.NewPCG(seed, 1))
			return runProgram(t, same, device, g, p, m)
		}
		first, err := again()
		if m.streamed && plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		next, err := again()
		if err == nil {
			err = differs(g, next.values, first.values, sameBits)
		}
		if err != nil {
			t.Errorf("%s, once more: %v", m.name, err)
		}
	}
}

// denseGraph is directed, with skewed degrees.
func denseGraph(r *rand.Rand, n, m int) *algorithms.Graph {
	edges := make([]algorithms.Edge, m)
	for i := range edges {
		edges[i] = newEdge(r, r.IntN(1+r.IntN(n)), r.IntN(1+r.IntN(n)))
	}
	return newGraph(true, randomIDs(r, n), edges)
}
