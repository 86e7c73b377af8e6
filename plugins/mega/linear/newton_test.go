package linear

import (
	"math"
	"slices"
	"testing"

	oracle "github.com/penstock-db/penstock/algorithms/mega/linear"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// vertices has samples and features as vertices, features first, in lists that may be cut in two, each second of them
// backward.
func vertices(s oracle.Samples, cut int) Samples {
	labels := make([]float32, s.Features+len(s.Labels))
	for v := range labels {
		if labels[v] = float32(math.NaN()); v >= s.Features {
			labels[v] = float32(s.Labels[v-s.Features])
		}
	}
	return Samples{Labels: labels, Each: func(do func(sample, base int, features []uint32, x []float64)) {
		for i := range s.Labels {
			features := slices.Clone(s.Index[s.Offsets[i]:s.Offsets[i+1]])
			x := slices.Clone(s.Values[s.Offsets[i]:s.Offsets[i+1]])
			if i%2 == 1 {
				slices.Reverse(features)
				slices.Reverse(x)
			}
			if len(x) > cut {
				do(s.Features+i, 0, features[:cut], x[:cut])
				features, x = features[cut:], x[cut:]
			}
			do(s.Features+i, 0, features, x)
		}
	}}
}

// TestNewton_AsTheOracle: from any weights, with any penalty, Newton ends within what was asked of the least objective,
// by what the dual says, which is never above it; and in few steps.
func TestNewton_AsTheOracle(t *testing.T) {
	r := testseed.Rand(t)
	cases := 200
	if long.Tests() {
		cases = 2000
	}
	most := 0
	for range cases {
		s := drawn(r)
		p := Params{L1: 3 * r.Float64(), L2: math.Pow(10, 1-5*r.Float64())}
		switch r.IntN(3) {
		case 0:
			p.L1 = 0
		case 1:
			p.L1, p.L2 = 0.1+p.L1, 0
		}
		penalty, solve := oracle.Defaults(), oracle.Newton
		if penalty.L1, penalty.L2 = p.L1, p.L2; p.L1 > 0 {
			solve, penalty.Steps = oracle.Coordinates, 20000
		}
		best, err := solve(s.Samples, penalty)
		if err != nil {
			t.Fatal(err)
		}
		want, within := s.Objective(best, p.L1, p.L2), math.Pow(10, -2-7*r.Float64())
		of := vertices(s.Samples, r.IntN(4))
		w := make([]float64, len(of.Labels))
		for j := range s.Features {
			if r.IntN(2) == 0 && s.has(j) {
				w[j] = 3 * r.NormFloat64()
			}
		}
		least, steps, err := p.Newton(t.Context(), of, w, within, 100)
		if err != nil {
			t.Fatal(err)
		}
		f := s.Objective(w[:s.Features], p.L1, p.L2)
		if most = max(most, steps); steps > 40 {
			t.Errorf("%+v, within %v: %d steps", p, within, steps)
		}
		if f-least > within*least+1e-12 || least > want*(1+1e-9) || f < want*(1-1e-6) {
			t.Errorf("%+v, within %v, %d steps: %v, at least %v; the least is %v", p, within, steps, f, least, want)
		}
	}
	t.Logf("at most %d steps", most)
}

// TestModel_Gram: what few features have in common is the same whether it is known feature by feature or gone along by
// samples.
func TestModel_Gram(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		s := drawn(r)
		of, p := vertices(s.Samples, 1+r.IntN(20)), Params{L2: r.Float64()}
		n := len(of.Labels)
		var free []freed
		for j := range s.Features {
			if r.IntN(3) > 0 {
				free = append(free, freed{feature: j, weight: r.NormFloat64()})
			}
		}
		bends, d := make([]float64, n), make([]float64, len(free))
		for _, xs := range [][]float64{bends, d} {
			for i := range xs {
				xs[i] = r.Float64()
			}
		}
		m := p.model(of.pick(free, make([]float64, n), matrix{}), free, bends, make([]float64, n))
		if m.gram == nil {
			t.Fatal("it is not known")
		}
		got := m.through(d)
		m.gram = nil
		for k, want := range m.through(d) {
			if math.Abs(got[k]-want) > 1e-9*(1+math.Abs(want)) {
				t.Fatalf("feature %d: %v, and by samples %v", k, got[k], want)
			}
		}
	}
}

func (s problem) has(feature int) bool {
	return s.features.Offsets[feature] < s.features.Offsets[feature+1]
}
