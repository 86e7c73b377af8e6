package neural

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/neuraltest"
)

// Chains of rows are made by one loop each: in both layers what neighbors come to and the bias, in the first backward
// too, and the three terms of the gradient of what is gathered; and the gradient of elu that a dropout is behind. Sums
// of scores, two forward and one backward of each layer, go along with those of the rows that scores weight.
func TestChains(t *testing.T) {
	p, of2, of3, masked, along := gat(t, 8, 64), 0, 0, 0, 0
	for _, stage := range dataflow.NewSchedule(p.Values, append([]*dataflow.Value{p.Loss}, p.Gradients...)...).Epoch {
		rows, _ := blockValues(&stage, nil)
		unmade := []*dataflow.Value{}
		for _, s := range scaledSums(&stage) {
			if unmade = append(unmade, s.unmade...); s.more == nil {
				of2++
			} else {
				of3++
			}
		}
		for _, m := range maskedProducts(&stage) {
			unmade = append(unmade, m.unmade...)
			masked++
		}
		for _, v := range unmade {
			if slices.Contains(rows, v) {
				t.Errorf("%v is made, for a chain alone", v)
			}
		}
		for i := range stage.Waves {
			w := newWave[float32](&stage.Waves[i], len(newTable[bool](p.Values)))
			for _, g := range w.weighted {
				along += len(g.plain)
			}
			for _, v := range w.others {
				if v.Op == dataflow.GatherSum {
					t.Errorf("%v is added up alone", v)
				}
			}
		}
	}
	if of2 != 3 || of3 != 2 || masked != 1 || along != 6 {
		t.Errorf("%d and %d sums of scaled rows, %d masked products, %d sums of scores", of2, of3, masked, along)
	}
}

// Of what is narrower than the rest of a sum or a product, each number goes with a part of that: it is in no chain, and
// what is made of it is what the oracle computes.
func TestChains_Narrow(t *testing.T) {
	const add, multiply = dataflow.Add, dataflow.Multiply
	type operands struct{ scale, narrow, narrow2, wide, wide2, row *dataflow.Value }
	for name, c := range map[string]struct {
		chains int
		make   func(b *dataflow.Builder, of operands) *dataflow.Value
	}{
		"a wide thing more than a narrow sum": {1, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(add, b.Binary(add, of.narrow2, b.Binary(multiply, of.scale, of.narrow)), of.wide)
		}},
		"a narrow thing more than a wide sum": {1, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(add, b.Binary(add, of.wide2, b.Binary(multiply, of.scale, of.wide)), of.narrow)
		}},
		"narrow scaled rows": {0, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(add, b.Binary(multiply, of.scale, of.narrow), of.wide)
		}},
		"wide scaled rows": {0, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(add, b.Binary(multiply, of.scale, of.wide), of.narrow)
		}},
		"all as wide, one of them a row for all": {1, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(add, b.Binary(add, of.wide, b.Binary(multiply, of.narrow, of.row)), of.wide2)
		}},
		"a mask in place of a thing more": {1, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(add, b.Binary(add, of.wide2, b.Binary(multiply, of.scale, of.wide)), b.Mask(of.wide, 0.5, 0))
		}},
		"a mask in place of rows": {0, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(add, of.wide2, b.Binary(multiply, of.scale, b.Mask(of.wide, 0.5, 0)))
		}},
		"a mask in place of scales": {0, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(add, of.wide2, b.Binary(multiply, of.wide, b.Mask(of.narrow, 0.5, 0)))
		}},
		"a narrow mask": {0, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(multiply, b.Binary(multiply, of.wide, b.Mask(of.narrow, 0.5, 0)), of.wide2)
		}},
		"narrow rows and their mask": {0, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(multiply, b.Binary(multiply, of.narrow, b.Mask(of.narrow, 0.5, 0)), of.wide)
		}},
		"wide rows, their mask, and narrow rows": {0, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(multiply, b.Binary(multiply, of.wide, b.Mask(of.wide, 0.5, 0)), of.narrow)
		}},
		"narrow rows and a wide mask": {0, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(multiply, b.Binary(multiply, of.narrow, b.Mask(of.wide, 0.5, 0)), of.wide)
		}},
		"a row for all and its mask": {0, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(multiply, b.Binary(multiply, of.row, b.Mask(of.wide, 0.5, 0)), of.wide)
		}},
		"rows, their mask, and a row for all": {0, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(multiply, b.Binary(multiply, of.wide, b.Mask(of.wide, 0.5, 0)), of.row)
		}},
		"a product of which only sums of parts are read": {0, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.SumParts(b.Binary(multiply, b.Binary(multiply, of.wide, b.Mask(of.wide, 0.5, 0)), of.wide2), 2)
		}},
		"rows and two masks": {0, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(multiply, b.Binary(multiply, of.wide, b.Mask(of.wide, 0.5, 0)), b.Mask(of.wide, 0.5, 1))
		}},
		"rows as wide as their mask": {1, func(b *dataflow.Builder, of operands) *dataflow.Value {
			return b.Binary(multiply, b.Binary(multiply, of.wide, b.Mask(of.wide, 0.5, 0)), of.wide2)
		}},
	} {
		r, b := rand.New(rand.NewPCG(1, 2)), dataflow.NewBuilder(false)
		data := neuraltest.RandomData(r)
		large(r, data)
		input := func(name string, width int) *dataflow.Value {
			data.Inputs[name] = neuraltest.Normal(r, dataflow.NewMatrix(data.Vertices, width))
			return b.Input(name, width)
		}
		data.Parameters["row"] = neuraltest.Normal(r, dataflow.NewMatrix(1, 24))
		of := operands{input("scale", 2), input("narrow", 6), input("narrow 2", 6), input("wide", 24),
			input("wide 2", 24), b.Parameter("row", 1, 24)}
		out := c.make(b, of)
		p := dataflow.Compile(b, b.SumRows(b.SumParts(out, 1)), out, []*dataflow.Value{of.row})
		want, err := dataflow.Evaluate(p.Values, data)
		if err != nil {
			t.Fatal(err)
		}
		double, _ := run[float64](t, p, data, 1, false)
		single, _ := run[float32](t, p, data, 1, false)
		found := 0
		for _, stages := range [][]dataflow.Stage{double.schedule.Once, double.schedule.Epoch} {
			for i := range stages {
				fused := fusedRows(&stages[i], nil)
				for _, c := range chains(&stages[i]) {
					if fused[c.unmade[0]] {
						found++
					}
				}
			}
		}
		if found != c.chains {
			t.Errorf("%s: %d chains, not %d", name, found, c.chains)
		}
		for j, x := range want[p.Output].Of {
			if a, b := double.Of(p.Output)[j], float64(single.Of(p.Output)[j]); !(math.Abs(a-x) <= 1e-12*(1+math.Abs(x))) ||
				!(math.Abs(b-x) <= 1e-5*(1+math.Abs(x))) {
				t.Fatalf("%s: number %d is %v, and %v in single precision, not %v", name, j, a, b, x)
			}
		}
	}
}
