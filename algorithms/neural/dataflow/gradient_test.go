package dataflow_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Gradients are those of central differences, hoisted and factored out or not, whatever the graph.
func TestGradient(t *testing.T) {
	r, cases := testseed.Rand(t), 40
	if long.Tests() {
		cases = 400
	}
	for range cases {
		data, program := neuraltest.RandomData(r), r.Uint64()
		first := neuraltest.Grow(rand.New(rand.NewPCG(program, 2)), false, data)
		plain := neuraltest.Grow(rand.New(rand.NewPCG(program, 2)), true, data)
		if a, b := neuraltest.Loss(t, first, data), neuraltest.Loss(t, plain, data); math.Abs(a-b) > 1e-9*(1+math.Abs(a)) {
			t.Fatalf("loss %v hoisted, %v plain", a, b)
		}
		for _, p := range []*dataflow.Program{first, plain} {
			neuraltest.CompareGradients(t, p, data)
		}
	}
}
