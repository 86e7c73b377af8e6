package linear

import (
	"context"
	"math"
)

// Newton brings weights w, of vertices, to where f is at most so much above the least, as a share of that. It takes so
// many steps at the most, and returns how many it took, and what f is nowhere below; with none, w stays as it is. Each
// does five things:
//
//  1. Find which features are free: those whose weight is not 0, or whose slope v = Σ β z is above λ₁. A free weight
//     keeps to its sign ξ, that of w, or of v where w is 0, for f is smooth there. All others stay as they are.
//  2. Find d, by which the free ones are to move: it makes the quadratic model of f small, in which no weight changes
//     its sign (see descend).
//  3. Ask the dual how low f may be. By d, β becomes nearly β' = β − β (1 − β) z·d, whose slopes are such as at the best
//     where the model is least: so the bound is off by what is of second order in d. It holds for any β' from 0 to 1,
//     if they are made so much smaller that they are feasible.
//  4. Go along d, half as far each time that f has not fallen enough.
//  5. End where f is near the bound, or no step makes it less.
//
// Epochs go far in the first few passes, but are slow along features that depend on each other; conjugate gradients see
// those together. See Yuan, Ho, Lin: An Improved GLMNET for L1-Regularized Logistic Regression, 2012 (quadratic models
// of free features); Andrew, Gao: Scalable Training of L1-Regularized Log-Linear Models, 2007 (signs kept).
//
// See NewtonBytes for the memory that it takes.
func (p Params) Newton(ctx context.Context, s Samples, w []float64, within float64, most int) (
	least float64, steps int, err error) {
	n := len(s.Labels)
	beta, bends, product, v := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	margins, next := s.margins(w, make([]float64, n)), make([]float64, n)
	var a matrix
	for f := p.objective(margins, w); ; steps++ {
		for i, m := range margins {
			beta[i] = sigmoid(-m)
			bends[i] = beta[i] * (1 - beta[i])
		}
		free := p.freeOf(w, s.slopes(beta, v))
		a = s.pick(free, v, a)
		d, err := p.model(a, free, bends, product).descend(ctx)
		if err != nil {
			return least, steps, err
		}
		a.times(d, product)
		for i, by := range product {
			beta[i] = min(max(beta[i]-bends[i]*by, 0), 1)
		}
		least = math.Max(least, p.dual(beta, s.slopes(beta, v)))
		if steps == most {
			return least, steps, nil
		}
		to, at := p.step(s, a, free, d, next, f)
		if at >= f {
			return least, steps, nil
		}
		for k, u := range free {
			w[u.feature] = to[k]
		}
		if margins, next, f = next, margins, at; f-least <= within*least {
			return least, steps + 1, nil
		}
	}
}

// NewtonBytes is how much memory Newton takes at the most, of so many vertices and values.
func NewtonBytes(vertices, values uint64) uint64 {
	const features, vertex, free, value = gramFeatures, 7 * 8, 16 * 8, 8
	few := min(vertices, features)
	return vertices*(vertex+free) + values*value + few*few*8
}

// freed is a feature whose weight is free to move.
type freed struct {
	feature int
	weight  float64
	sign    float64 // of what the weight becomes, or 0
	slope   float64 // v − λ₁ ξ − λ₂ w
}

func (p Params) freeOf(w, v []float64) (free []freed) {
	for j, slope := range v {
		at := w[j]
		if at == 0 && math.Abs(slope) <= p.L1 {
			continue
		}
		sign := math.Copysign(1, slope)
		if at != 0 {
			sign = math.Copysign(1, at)
		}
		free = append(free, freed{j, at, sign, slope - p.L1*sign - p.L2*at})
	}
	return free
}

// Bound is what f is nowhere below, by any β' of samples from 0 to 1. Of vertices that are not learned from they are 0.
func (p Params) Bound(s Samples, beta []float64) float64 {
	return p.dual(beta, s.slopes(beta, make([]float64, len(beta))))
}

// dual is that of β' whose slopes are v.
func (p Params) dual(beta, v []float64) (least float64) {
	steepest := 0.0
	for _, slope := range v {
		steepest = math.Max(steepest, math.Abs(slope))
	}
	share := p.Feasible(steepest)
	for _, b := range beta {
		least += Entropy(share * b)
	}
	for _, slope := range v {
		least -= p.Conjugate(share * slope)
	}
	return least
}

// step is to where free weights go, along d, and what f is there, and makes margins those of samples. No step makes f
// less where it is as it was.
func (p Params) step(s Samples, a matrix, free []freed, d, margins []float64, f float64) (to []float64, at float64) {
	const enough, shortest = 1e-4, 1e-6
	to = make([]float64, len(free))
	for far := 1.0; far >= shortest; far /= 2 {
		promised := 0.0
		at = 0
		for k, u := range free {
			to[k] = u.weight + far*d[k]
			promised += u.slope * far * d[k]
			at += p.Penalty(to[k])
		}
		a.add(to, s.start(margins))
		for _, m := range margins {
			at += Loss(m)
		}
		if at < f && at <= f-enough*promised {
			return to, at
		}
	}
	return to, f
}

// objective is f.
func (p Params) objective(margins, w []float64) (f float64) {
	for _, m := range margins {
		f += Loss(m)
	}
	for _, x := range w {
		f += p.Penalty(x)
	}
	return f
}
