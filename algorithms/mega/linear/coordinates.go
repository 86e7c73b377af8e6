package linear

import (
	"math"
	"math/rand/v2"
)

// Coordinates minimizes f by one feature after the other, in an order drawn anew each time (Yuan, Chang, Hsieh,
// Lin: A Comparison of Optimization Methods and Software for Large-scale L1-regularized Linear Classification,
// JMLR 2010): with g and h the derivatives of what is smooth, w_j goes to the minimum of g d + h d²/2 + λ₁ |w_j
// + d|, or half of the way, until f falls enough.
func Coordinates(s Samples, params Params) ([]float64, error) {
	if err := params.Check("blockpg"); err != nil {
		return nil, err
	}
	if err := s.Check("blockpg"); err != nil {
		return nil, err
	}
	w, margins, columns := make([]float64, s.Features), make([]float64, len(s.Labels)), s.columns()
	random, first := rand.New(rand.NewPCG(1, 0)), 0.0
	for range params.Steps {
		off := 0.0
		for _, j := range random.Perm(len(w)) {
			off += params.descend(columns[j], &w[j], margins)
		}
		first = math.Max(first, off)
		if off <= params.Tolerance*first {
			break
		}
	}
	return w, nil
}

// entry is y x_j of a sample.
type entry struct {
	sample int
	value  float64
}

func (s Samples) columns() [][]entry {
	all := make([][]entry, s.Features)
	for i, y := range s.Labels {
		for k := s.Offsets[i]; k < s.Offsets[i+1]; k++ {
			all[s.Index[k]] = append(all[s.Index[k]], entry{i, y * s.Values[k]})
		}
	}
	return all
}

// descend moves one weight, and tells how far it was from where it should be: the subgradient nearest to 0.
func (p Params) descend(column []entry, w *float64, margins []float64) (off float64) {
	g, h := p.L2**w, p.L2+1e-12
	for _, e := range column {
		q := wrong(margins[e.sample])
		g -= q * e.value
		h += q * (1 - q) * e.value * e.value
	}
	switch {
	case *w > 0:
		off = math.Abs(g + p.L1)
	case *w < 0:
		off = math.Abs(g - p.L1)
	default:
		off = math.Max(math.Abs(g)-p.L1, 0)
	}
	d := shrink(*w-g/h, p.L1/h) - *w
	if d == 0 {
		return off
	}
	falls := g*d + p.L1*(math.Abs(*w+d)-math.Abs(*w))
	for step := 1.0; step > 1e-10; step /= 2 {
		to := *w + step*d
		change := p.L1*(math.Abs(to)-math.Abs(*w)) + p.L2/2*(to*to-*w**w)
		for _, e := range column {
			m := margins[e.sample]
			change += loss(m+step*d*e.value) - loss(m)
		}
		if change <= 0.01*step*falls {
			for _, e := range column {
				margins[e.sample] += step * d * e.value
			}
			*w = to
			break
		}
	}
	return off
}

// shrink is the proximal operator of λ |x|: x comes nearer to 0 by λ.
func shrink(x, by float64) float64 {
	return math.Copysign(math.Max(math.Abs(x)-by, 0), x)
}
