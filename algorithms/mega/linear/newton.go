package linear

import (
	"math"

	"github.com/penstock-db/penstock/algorithms/mega"
)

// Newton minimizes f for λ₁ = 0 by Newton's method: steps solve H d = −g by conjugate gradients, as far as it
// pays (Dembo, Steihaug, 1983), and are halved until f falls enough (Armijo).
func Newton(s Samples, params Params) ([]float64, error) {
	if err := params.Check("lr"); err != nil {
		return nil, err
	}
	if params.L2 == 0 || params.L1 != 0 {
		return nil, &mega.ParamError{Learner: "lr", Param: "l2", Value: params.L2, Want: "a number above 0, and no l1"}
	}
	if err := s.Check("lr"); err != nil {
		return nil, err
	}
	w := make([]float64, s.Features)
	first := 0.0
	for range params.Steps {
		g, curvature := s.gradient(w, params.L2)
		size := math.Sqrt(dot(g, g))
		first = math.Max(first, size)
		if size <= params.Tolerance*first {
			break
		}
		d := s.solve(g, curvature, params.L2, math.Min(0.1, math.Sqrt(size/first)))
		was, slope, step := s.Objective(w, 0, params.L2), dot(g, d), 1.0
		next := make([]float64, len(w))
		for ; step > 1e-12; step /= 2 {
			for j := range w {
				next[j] = w[j] + step*d[j]
			}
			if s.Objective(next, 0, params.L2) <= was+1e-4*step*slope {
				break
			}
		}
		w = next
	}
	return w, nil
}

// gradient is that of f, and the second derivative of each sample's loss.
func (s Samples) gradient(w []float64, l2 float64) (g, curvature []float64) {
	g, curvature = make([]float64, len(w)), make([]float64, len(s.Labels))
	for j := range w {
		g[j] = l2 * w[j]
	}
	for i, y := range s.Labels {
		p := wrong(y * s.dot(i, w))
		s.add(i, -y*p, g)
		curvature[i] = p * (1 - p)
	}
	return g, curvature
}

// solve finds d with |H d + g| of at most tolerance |g|, where H = λ₂ I + Σ curvature x xᵀ.
func (s Samples) solve(g, curvature []float64, l2, tolerance float64) []float64 {
	d, rest, toward := make([]float64, len(g)), make([]float64, len(g)), make([]float64, len(g))
	for j, x := range g {
		rest[j], toward[j] = -x, -x
	}
	size := dot(rest, rest)
	for end := tolerance * tolerance * size; size > end; {
		h := make([]float64, len(g))
		for j, x := range toward {
			h[j] = l2 * x
		}
		for i, c := range curvature {
			s.add(i, c*s.dot(i, toward), h)
		}
		step := size / dot(toward, h)
		for j := range d {
			d[j] += step * toward[j]
			rest[j] -= step * h[j]
		}
		was := size
		size = dot(rest, rest)
		for j := range toward {
			toward[j] = rest[j] + size/was*toward[j]
		}
	}
	return d
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
