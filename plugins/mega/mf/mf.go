// Package mf is matrix factorization as a MEGA program.
package mf

import (
	"math"
	"math/rand/v2"

	"github.com/penstock-db/penstock/plugins/mega"
)

// Params are those of a factorization.
type Params struct {
	Rank, Epochs   int
	Rate           float64 // η of the first epoch; it falls to 0 evenly
	L2             float64 // λ of a vertex's factors: divided among its ratings
	Adapt          bool    // λ begins with L2, and follows the ratings that are held out
	Late           bool    // what is held out is learned from in the last quarter of epochs; else never
	BiasL2         float64 // λ of its bias
	Mean, Variance float64 // μ, and the ratings' mean square off it
	Seed           uint64
	Users, Items   []uint32 // how many ratings each has
}

// A row is: 1 over the number of the vertex's ratings, the bias, the factors; then sums of squares of gradients, of
// factors and of the bias, which are the user's, and of each mirror its own.
const (
	share = iota
	Bias
	Factors
	squares = 2 // behind the factors
)

// Program takes a rating r of item v by user u to be r̂ = μ + b_u + c_v + p_u · q_v. Of each rating, with e = r − r̂,
//
//	g_p = λ_uv p_u − e q_v    g_q = λ_vu q_v − e p_u    g_b = λ'_u b_u − e    g_c = λ'_v c_v − e
//	p_u −= η/√s_u g_p         q_v −= η/√s_v g_q         b_u −= η/√t_u g_b     c_v −= η/√t_v g_c
//	s_u += |g_p|² / k         s_v += |g_q|² / k         t_u += g_b²           t_v += g_c²
//
// s and t, which begin at 1, are sums for each vertex, not for each number, of the ratings before (Chin, Zhuang, Juan,
// Lin: A Learning-Rate Schedule for Stochastic Gradient Methods to Matrix Factorization, PAKDD 2015).
//
// λ'_u is BiasL2 over the ratings n_u of u, and λ_uv = λ/n_u + d_v: a factor of v is known but to a variance d_v =
// 1 / (1/ρ + n_v/λ), and e², on average over what it may be, has d_v |p_u|² more (variational Bayes with one variance
// for all factors of a vertex; Raiko, Ilin, Karhunen: Principal Component Analysis for Large Scale Problems with Lots
// of Missing Values, ECML 2007). So who rates what few have rated learns less from that. What is told is Σ e².
func Program(p Params) *mega.Program[float32, float32, Rating] {
	width, all := Factors+p.Rank, newPenalty(p)
	start := func(side uint64, ratings []uint32) func(int, []float32) {
		return func(v int, row []float32) {
			row[share] = 1 / float32(max(ratings[v], 1))
			random := rand.New(rand.NewPCG(p.Seed, uint64(v)<<1|side))
			for k := range p.Rank {
				row[Factors+k] = float32(0.1 / math.Sqrt(float64(p.Rank)) * random.NormFloat64())
			}
		}
	}
	return &mega.Program[float32, float32, Rating]{
		Name: "mf", Keeps: mega.Keeps{All: all.keep}, Left: mega.Rows{Shared: width, Mirror: squares},
		Right:     mega.Rows{Shared: width, Mirror: squares},
		StartLeft: start(0, p.Users), StartRight: start(1, p.Items),
		Exchange: func(w *mega.Worker[float32], u, v []float32, rating *Rating) {
			all.exchange(all.at(w.Epoch), w, u, v, *rating)
		},
		Block: all.block, Tally: tallies, Done: all.judge,
		Stages: []mega.Stage{mega.MiniBatch(mega.Exchange(), mega.Sync())},
	}
}

func (p *penalty) exchange(n now, w *mega.Worker[float32], u, v []float32, rating Rating) {
	width := Factors + p.Rank
	mine, other := u[Factors:width], v[Factors:width]
	var pp, qq, pq float32
	for k, x := range mine {
		y := other[k]
		pp, qq, pq = pp+x*x, qq+y*y, pq+x*y
	}
	e := rating.Value() - float32(p.Mean) - u[Bias] - v[Bias] - pq
	if p.holds(n, w, rating, e, pq) {
		return
	}
	w.Loss += float64(e) * float64(e)
	lu, lv := n.lambda*u[share], n.lambda*v[share]
	lu, lv = lu+n.doubt(lv), lv+n.doubt(lu)
	su, sv := u[width:width+squares], v[width:width+squares]
	ru, rv := n.step(su[0]), n.step(sv[0])
	su[0] += (lu*lu*pp - 2*lu*e*pq + e*e*qq) / float32(p.Rank)
	sv[0] += (lv*lv*qq - 2*lv*e*pq + e*e*pp) / float32(p.Rank)
	for k, x := range mine {
		y := other[k]
		mine[k], other[k] = x-ru*(lu*x-e*y), y-rv*(lv*y-e*x)
	}
	l2 := float32(p.BiasL2)
	gu, gv := l2*u[share]*u[Bias]-e, l2*v[share]*v[Bias]-e
	u[Bias] -= n.step(su[1]) * gu
	v[Bias] -= n.step(sv[1]) * gv
	su[1] += gu * gu
	sv[1] += gv * gv
}

// holds says whether a rating is not learned from, and tallies what the model says of it.
func (p *penalty) holds(n now, w *mega.Worker[float32], rating Rating, e, pq float32) bool {
	if !rating.Held() || n.learnsAll {
		return false
	}
	d, e64 := float64(pq), float64(e)
	w.Tally[agreement] += (e64 + d) * d
	w.Tally[said] += d * d
	w.Tally[spread] += e64 * e64 * d * d
	if p.Late {
		w.Loss += e64 * e64
	}
	return true
}

// step is how far the next gradient leads, after gradients of these squares.
func (n now) step(squares float32) float32 { return n.rate / float32(math.Sqrt(1+float64(squares))) }
