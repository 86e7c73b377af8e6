package algorithms_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/long"
)

// ring is a cycle of n vertices, each with so many parallel edges of this weight to the
// next. A chain lacks the edges that close it.
func ring(n, parallel int, weight float64, chain bool) *algorithms.Graph {
	ids := make([]int64, n)
	var edges []algorithms.Edge
	for v := range n {
		ids[v] = int64(v)
		for range parallel {
			if v+1 < n || !chain {
				edges = append(edges, algorithms.Edge{Src: uint32(v), Dst: uint32((v + 1) % n),
					Weights: map[string]float64{"weight": weight}})
			}
		}
	}
	return algorithms.NewGraph(true, ids, edges)
}

// Values that overflow before the iterations are spent stop changing. That is no
// convergence, to the program and to the oracle.
func TestRunProgram_OverflowIsDivergence(t *testing.T) {
	long.Unraced(t)
	for _, c := range []struct {
		algorithm        string
		n, parallel      int
		weight           float64
		chain, converges bool
	}{
		{"num-paths", 300, 64, 1, false, false},
		{"num-paths", 300, 64, 1, true, false}, // 64^299 paths
		{"num-paths", 100, 64, 1, true, true},
		{"max-reliability", 100, 1, 1e9, false, false},
		{"max-reliability", 100, 1, 1, false, true},
		{"min-reliability", 100, 1, -1e9, false, false},
		{"min-reliability", 100, 1, 1, false, true},
		{"max-cost", 100, 1, 1e307, false, false},
		{"max-cost", 100, 1, 1, true, true},
		{"sssp", 100, 1, -1e307, false, false},
		{"sssp", 100, 1, -1, true, true},
		{"narrowest-path", 100, 1, 1, false, true}, // -Inf at the source
		{"widest-path", 100, 1, 1, false, true},    // +Inf at the source
	} {
		t.Run(fmt.Sprintf("%s weight %g chain %v", c.algorithm, c.weight, c.chain), func(t *testing.T) {
			g := ring(c.n, c.parallel, c.weight, c.chain)
			a, err := catalog.Lookup(c.algorithm)
			if err != nil {
				t.Fatal(err)
			}
			args := algorithms.Args{Ints: map[string]int64{"source": 0}, Strings: map[string]string{"weight": "weight"},
				Directed: true}
			p, err := a.Program(args)
			if err != nil {
				t.Fatal(err)
			}
			_, _, ran := algorithms.RunProgram(g, p)
			_, asked := a.Oracle(g, args)
			for _, err := range []error{ran, asked} {
				var diverged *algorithms.DivergedError
				if errors.As(err, &diverged) == c.converges || c.converges && err != nil {
					t.Errorf("program: %v; oracle: %v", ran, asked)
				}
			}
		})
	}
}

// Which infinity is a runaway depends on how messages are combined.
func TestProgram_Divergence(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		reduce   algorithms.Reduce
		value    float64
		diverged bool
	}{
		{algorithms.Sum, inf, true}, {algorithms.Sum, -inf, true}, {algorithms.Sum, 1e300, false},
		{algorithms.Prod, inf, true}, {algorithms.Prod, -inf, true}, {algorithms.Prod, 0, false},
		{algorithms.Max, inf, true}, {algorithms.Max, -inf, false},
		{algorithms.Min, inf, false}, {algorithms.Min, -inf, true}, {algorithms.Min, math.NaN(), true},
	} {
		first := algorithms.Values{Column: algorithms.Column{Name: "x"}, Floats: []float64{1, c.value}}
		p := &algorithms.Program{Name: "p", Reduce: c.reduce, Diverged: "why"}
		if err := p.Divergence(first, 3, true); (err != nil) != c.diverged {
			t.Errorf("%v, %v: %v", c.reduce, c.value, err)
		}
		if p.Divergence(first, 3, false) == nil {
			t.Errorf("%v: no error without convergence", c.reduce)
		}
		if p.Diverged = ""; p.Divergence(first, 3, false) != nil {
			t.Errorf("%v: an error although the last values are the result", c.reduce)
		}
	}
}
