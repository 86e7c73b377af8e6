// Package mf defines matrix factorization. A rating r of item v by user u is taken to be
//
//	r̂(u, v) = μ + b_u + c_v + p_u · q_v
//
// with μ the mean of all ratings, and b, c, p, q minimize
//
//	Σ over ratings of (r − r̂)²  +  λ (Σ over users of b_u² + |p_u|²  +  Σ over items of c_v² + |q_v|²)
//
// (Koren, Bell, Volinsky: Matrix Factorization Techniques for Recommender Systems, IEEE Computer 2009.) The
// penalty counts once for each vertex, so that who has few ratings is held back more: where most users have
// two, a penalty for each rating loses to biases alone.
//
//	ratings ──Check──▶ Train (stochastic gradient descent, sgd.go) ──▶ Model ──▶ RMSE
//	                   Alternate (least squares, als.go)      ──▶
//	                   Biases (without factors: a baseline, biases.go)
package mf
