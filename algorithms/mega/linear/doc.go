// Package linear defines logistic regression: labels y of −1 and 1, samples x of few features that are not 0,
// weights w that minimize
//
//	f(w) = Σ over samples of log(1 + exp(−y w·x))  +  λ₂/2 |w|²  +  λ₁ Σ over features of |w_j|
//
// There is no bias; a feature that is 1 in every sample makes one. With λ₂ = 1 this is LIBLINEAR's objective -s
// 0 -c 1, with λ₁ = 1 its -s 6 -c 1.
//
//	Samples ──Check──▶ Newton (λ₂ > 0, newton.go)    ──▶ weights ──▶ Objective
//	                   Coordinates (λ₁, coordinates.go) ──▶
package linear
