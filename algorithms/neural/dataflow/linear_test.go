package dataflow_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
	"github.com/penstock-db/penstock/internal/testseed"
)

// attention is sums over edges as attention and its gradient make them, and the largest score, of the input x alone.
func attention(b *dataflow.Builder, r *rand.Rand) (sum, largest *dataflow.Value) {
	end, x := dataflow.End(r.IntN(2)), b.Input("x", 4)
	near, far := b.At(end, x), b.At(1-end, b.Unary(dataflow.Tanh, x, 0))
	parts := 1 + r.IntN(2)
	narrow := func(of *dataflow.Value) *dataflow.Value { return b.SumParts(of, parts) }
	score := b.Unary(dataflow.LeakyRelu, b.Binary(dataflow.Add, narrow(near), narrow(far)), 0.2)
	others := []*dataflow.Value{narrow(near), narrow(far), b.Property("weight")}
	if r.IntN(2) == 0 {
		far = b.Binary(dataflow.Multiply, far, b.Unary(dataflow.Sigmoid, score, 0))
	}
	dot := narrow(b.Binary(dataflow.Multiply, near, far))
	for range r.IntN(3) {
		dot = b.Binary(dataflow.Add, b.Binary(dataflow.Multiply, dot, b.Unary(dataflow.Tanh, score, 0)), pick(r, others...))
	}
	for range r.IntN(3) {
		dot = b.Binary(dataflow.Multiply, dot, pick(r, score, b.Unary(dataflow.LeakySlope, score, 0.2), b.Property("weight")))
	}
	return b.Gather(dataflow.GatherSum, end, dot), b.Largest(end, score)
}

func pick(r *rand.Rand, from ...*dataflow.Value) *dataflow.Value { return from[r.IntN(len(from))] }

// Sums that scalar products have been taken out of are what they were, and leave none at the edges. The largest is the
// same to the bit wherever there are edges.
func TestGather_Linear(t *testing.T) {
	r := testseed.Rand(t)
	for range 300 {
		data, draw := neuraltest.RandomData(r), r.Uint64()
		evaluate := func(plain bool) (dataflow.Matrix, dataflow.Matrix, []*dataflow.Value) {
			b := dataflow.NewBuilder(plain)
			sum, largest := attention(b, rand.New(rand.NewPCG(draw, 2)))
			values := dataflow.Order(b.Values(), sum, largest)
			known, err := dataflow.Evaluate(values, data)
			if err != nil {
				t.Fatal(err)
			}
			return known[sum], known[largest], values
		}
		sum, largest, values := evaluate(false)
		plain, most, _ := evaluate(true)
		for i, a := range plain.Of {
			if math.Abs(sum.Of[i]-a) > 1e-12*(1+math.Abs(a))*float64(1+len(data.Sources)) {
				t.Fatalf("number %d is %v, not %v: %v", i, sum.Of[i], a, values)
			}
		}
		for i, a := range most.Of {
			v := uint32(i / most.Width)
			if largest.Of[i] != a && slices.Contains(data.Sources, v) && slices.Contains(data.Targets, v) {
				t.Fatalf("the largest is %v, not %v: %v", largest.Of[i], a, values)
			}
		}
		for _, v := range values {
			if v.Op == dataflow.SumParts && v.Place == dataflow.Edges {
				t.Fatalf("%v is left at the edges: %v", v, values)
			}
		}
	}
}
