package cpu_test

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// settledAtOnce brings all vertices to local convergence in one Settle, and tells how many edges were looked at.
func settledAtOnce(t *testing.T, g *algorithms.Graph, p *algorithms.Program) (x []float64, edges uint64) {
	t.Helper()
	r := newRig(t, g, 32<<20)
	if err := r.compileAs(p, plugins.Task{Settle: true}); err != nil {
		t.Fatal(err)
	}
	settles := 0
	if err := r.settled(1, []uint32{0}, once()); err != nil {
		t.Fatal(err)
	}
	for _, e := range r.events {
		if edges += e.Edges; e.Edges > 0 {
			settles++
		}
	}
	if settles != 1 {
		t.Errorf("%d commands looked at edges", settles)
	}
	return r.states(p)[0].Floats, edges
}

// bestWalks are the shortest walks from the first vertex, by Bellman and Ford's algorithm.
func bestWalks(edges []algorithms.Edge, n int) []float64 {
	x := make([]float64, n)
	for v := 1; v < n; v++ {
		x[v] = math.Inf(1)
	}
	for again := true; again; {
		again = false
		for _, e := range edges {
			if y := x[e.Src] + e.Weights["weight"]; y < x[e.Dst] {
				x[e.Dst], again = y, true
			}
		}
	}
	return x
}

func graphOf(n int, edges []algorithms.Edge) *algorithms.Graph {
	ids := make([]int64, n)
	for v := range ids {
		ids[v] = int64(v)
	}
	return algorithms.NewGraph(true, ids, edges)
}

func weighing(src, dst int, weight float64) algorithms.Edge {
	return algorithms.Edge{Src: uint32(src), Dst: uint32(dst), Weights: map[string]float64{"weight": weight}}
}

// Rounds of all active vertices correct a path with short cuts over and over. A Settle looks at its edges once so, and
// then about once nearest first.
func TestSettle_LooksAtEdgesTwice(t *testing.T) {
	const n = 20_000
	rng := testseed.Rand(t)
	var edges []algorithms.Edge
	for v := range n {
		for hop := 1; hop <= 2 && v+hop < n; hop++ {
			edges = append(edges, weighing(v, v+hop, float64(1+rng.IntN(1000))))
		}
	}
	p := walk(algorithms.Min, "id == 0 ? 0.0 : inf", "src.x + edge.weight")
	p.Diverged = "a cycle gains" // without which it would be one round, in topological order
	x, looked := settledAtOnce(t, graphOf(n, edges), p)
	for v, want := range bestWalks(edges, n) {
		if x[v] != want {
			t.Fatalf("vertex %d: %g, want %g", v, x[v], want)
		}
	}
	if looked > 5*uint64(len(edges))/2 {
		t.Errorf("looked at %d edges, of %d", looked, len(edges))
	}
}

// Where more vertices are active than the queue has room for, the best come into it, not any.
func TestSettle_TheBestOfManyGoFirst(t *testing.T) {
	const n = 20_000
	rng := testseed.Rand(t)
	var edges []algorithms.Edge
	for v := range n {
		for hop := 1; hop <= 4 && v+hop < n; hop++ {
			edges = append(edges, weighing(v, v+hop, float64(1+rng.IntN(1000))), weighing(v+hop, v, float64(1+rng.IntN(1000))))
		}
	}
	p := walk(algorithms.Min, "double((id * 7919) % 20011) * 1000.0", "src.x + edge.weight")
	p.Diverged = "a cycle gains"
	if _, looked := settledAtOnce(t, graphOf(n, edges), p); looked > 4*uint64(len(edges)) {
		t.Errorf("looked at %d edges, of %d", looked, len(edges))
	}
}

// Where edges make values better, going nearest first may take twice as long with each of a row of diamonds (Johnson, "A
// note on Dijkstra's shortest path algorithm", Journal of the ACM 1973). It is given up in time.
func TestSettle_NearestFirstIsGivenUp(t *testing.T) {
	const diamonds = 20
	edges := []algorithms.Edge{weighing(0, 1, 1), weighing(1, 0, 1), weighing(1, 2, 1)} // a cycle has no topological order
	for i := range diamonds {
		x, step := 2+2*i, math.Pow(2, float64(diamonds-i))
		edges = append(edges, weighing(x, x+2, 0), weighing(x, x+1, step), weighing(x+1, x+2, -2*step))
	}
	const n = 3 + 2*diamonds
	p := walk(algorithms.Min, "id == 0 ? 0.0 : inf", "src.x + edge.weight")
	x, looked := settledAtOnce(t, graphOf(n, edges), p)
	for v, want := range bestWalks(edges, n) {
		if x[v] != want {
			t.Fatalf("vertex %d: %g, want %g", v, x[v], want)
		}
	}
	if most := uint64((1 + 16 + n) * len(edges)); looked > most {
		t.Errorf("looked at %d edges, of %d; most are %d", looked, len(edges), most)
	}
}
