package cpu_test

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
)

// hubGraph has a vertex whose lists span several segments, several vertex blocks, and
// vertices without edges.
func hubGraph(directed bool) *algorithms.Graph {
	random := rand.New(rand.NewPCG(3, 3))
	ids := make([]int64, 10_000)
	for v := range ids {
		ids[v] = int64(v)
	}
	const hub = 4321
	var edges []algorithms.Edge
	edge := func(u, v int) {
		edges = append(edges, algorithms.Edge{Src: uint32(u), Dst: uint32(v),
			Weights: map[string]float64{"weight": float64(1 + random.IntN(9)), "share": random.Float64() / 1e5}})
	}
	for range 70_000 {
		edge(random.IntN(9000), hub)
		edge(hub, random.IntN(9000))
	}
	for range 10_000 {
		edge(random.IntN(9000), random.IntN(9000))
	}
	return algorithms.NewGraph(directed, ids, edges)
}

// Long rows are split, and put together the same on any number of threads; the fused
// loops and the vectorized evaluator agree.
func TestHub_SegmentsAndThreads(t *testing.T) {
	for _, directed := range []bool{true, false} {
		g := hubGraph(directed)
		args := algorithms.Args{Directed: directed, Ints: map[string]int64{"source": 17},
			Floats: map[string]float64{"damping": 0.85, "lambda": 0.5, "tolerance": 1e-3}}
		for name, weight := range map[string]string{"pagerank": "", "adsorption": "share", "sssp": "weight", "wcc": "",
			"bfs": ""} {
			args.Strings = map[string]string{"weight": weight}
			a, err := catalog.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(name, func(t *testing.T) { testHub(t, g, a, args) })
		}
	}
}

func testHub(t *testing.T, g *algorithms.Graph, a *algorithms.Algorithm, args algorithms.Args) {
	p, err := a.Program(args)
	if err != nil {
		t.Fatal(err)
	}
	var first []algorithms.Values
	for _, threads := range []int{1, 4} {
		r := newRig(t, g, 1<<24)
		r.threads = threads
		got, _ := r.result(p, threads == 4)
		if err := a.Verify(g, args, got[:1]); err != nil {
			t.Errorf("%s on %d threads: %v", r.plan.Kernel, threads, err)
		}
		if first == nil {
			first = got
		}
		identical(t, got, first)
	}
	zero := map[algorithms.Type]string{algorithms.Float: "0.0", algorithms.Int: "0",
		algorithms.VertexID: "0"}[p.State[0].Type]
	p.Process.Source += " + " + zero + " * dst." + p.State[0].Name
	if zero == "0.0" && p.Reduce != algorithms.Sum {
		return // 0·inf is no neutral element
	}
	r := newRig(t, g, 1<<24)
	got, _ := r.result(p, false)
	if r.plan.Kernel[len(r.plan.Kernel)-10:] != "vectorized" {
		t.Errorf("kernel %q; expected the vectorized one", r.plan.Kernel)
	}
	near(t, r.plan.Kernel, got[0], first[0])
}
