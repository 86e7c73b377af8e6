package kernels_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/oracletest"
)

// Every program of the catalogue has the result that its definition has, in as many iterations: where messages are
// compared, to the bit.
func TestTemplate_Catalogue(t *testing.T) {
	for _, a := range algorithms.All() {
		if a.Program == nil {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			eachSeed(t, 8, func(c *card, rng *rand.Rand) {
				k, err := oracletest.RandomCase(rng, a, 700)
				must(c.t, err)
				spec, err := a.Program(k.Args)
				must(c.t, err)
				if err == nil {
					compare(c, rng, k.Graph, *spec)
				}
			})
		})
	}
}

// compare runs spec on the card and by its definition.
func compare(c *card, rng *rand.Rand, g *algorithms.Graph, spec algorithms.Program) {
	c.t.Helper()
	want, iterations, err := algorithms.RunProgram(g, &spec)
	if err != nil {
		c.t.Skip(err) // there is no result
	}
	r := newRun(c, rng, g, spec)
	got, edges := r.iterate()
	exact := r.spec.Reduce >= algorithms.Min
	if got != iterations && (exact || r.spec.Norm == algorithms.NoNorm) {
		c.t.Fatalf("%s: %d iterations; expected %d", r.template.Kernel(), got, iterations)
	}
	first := r.result()
	for i, w := range want {
		if !same(first[i], w, exact) {
			c.t.Fatalf("%s: column %s is\n%v; expected\n%v", r.template.Kernel(), w.Name, first[i], w)
		}
	}
	r.iterate()
	for i, again := range r.result() {
		if !slices.Equal(bitsOf(again), bitsOf(first[i])) {
			c.t.Fatalf("%s: column %s is\n%v; before it was\n%v", r.template.Kernel(), again.Name, again, first[i])
		}
	}
	if total := uint64(0); edges == 0 {
		for _, chunk := range r.chunks {
			total += chunk.Edges
		}
		if r.template.Pulls() && total > 0 {
			c.t.Fatalf("%s has gone along no edges of %d", r.template.Kernel(), total)
		}
	}
}

// same compares a result with its definition's: a sum may have been taken in another order.
func same(a, b algorithms.Values, exact bool) bool {
	if exact || a.Type != algorithms.Float {
		return slices.Equal(bitsOf(a), bitsOf(b))
	}
	return slices.EqualFunc(a.Floats, b.Floats, func(x, y float64) bool {
		return x == y || math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y)) || math.IsNaN(x) && math.IsNaN(y)
	})
}
