// Package linear is logistic regression as MEGA programs: labels y of −1 and 1, samples x, weights w that minimize
//
//	f(w) = Σ over samples of log(1 + exp(−y w·x))  +  λ₂/2 |w|²  +  λ₁ Σ over features of |w_j|
//
//	Primal  any penalty; features are the left side, and what travels are the margins of samples
//	Dual    λ₁ = 0 < λ₂; samples are the left side, and what travels are the weights of features
package linear

import "math"

// Params are those of a regression.
type Params struct {
	L1, L2  float64 // λ₁, λ₂
	Workers int
	Slack   int // at least 0: how far moves add up goes by it
}

// Loss is log(1 + exp(−m)), for any m.
func Loss(m float64) float64 { return math.Max(-m, 0) + math.Log1p(math.Exp(-math.Abs(m))) }
