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
	Late           bool    // what is held out teaches biases, and in the last quarter of epochs factors; else nothing
	BiasL2         float64 // λ of its bias
	Mean, Variance float64 // μ, and the ratings' mean square off it
	Seed           uint64
	Users, Items   []uint32 // how many ratings each has
}

// A row is: 1 over the number of the vertex's ratings, the bias, the factors; then of each mirror its own, sums of
// squares of gradients, of factors and of the bias, and for each of the two by what it goes further.
const (
	share = iota
	Bias
	Factors
	further = 2 // behind the factors and the sums
	own     = 4 // values behind the factors
)

// Program takes a rating r of item v by user u to be r̂ = μ + b_u + c_v + p_u · q_v. Of each rating, with e = r − r̂,
//
//	g_p = λ_uv p_u − e q_v    g_q = λ_vu q_v − e p_u    g_b = λ'_u b_u − e    g_c = λ'_v c_v − e
//	p_u −= η √(m_u/s_u) g_p   q_v −= η √(m_v/s_v) g_q   b_u −= 1.5 η √(m_u/t_u) g_b c_v −= 1.5 η √(m_v/t_v) g_c
//	s_u += |g_p|² / k         s_v += |g_q|² / k         t_u += g_b²               t_v += g_c²
//
// m_v is how many workers are likely to change v before they hear of each other; 1 where there is one. A mirror goes
// as far by its ratings as all would by theirs, and the master takes one m-th of that: so many ratings of an item that
// come between two clocks bring it to where they all have it, where the sum of what workers change would throw it m
// times as far. Steps of biases are longer, for where most have few ratings these take many epochs to settle.
//
// s and t, which begin at 1 (of several workers at 1/m_v, or 4 m_v times the square of η, of t of 1.5 η, if that is
// more), are sums for each vertex, not for each number, of the ratings before (Chin, Zhuang, Juan, Lin: A Learning-Rate
// Schedule for Stochastic Gradient Methods to Matrix Factorization, PAKDD 2015).
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
			if len(row) > width { // of a user with one mirror, itself
				p.startMirror(row[width:], 1)
			}
		}
	}
	return &mega.Program[float32, float32, Rating]{
		Name: "mf", Keeps: mega.Keeps{All: all.keep}, Left: mega.Rows{Shared: width, Mirror: own, Mean: true},
		Right:     mega.Rows{Shared: width, Mirror: own, Mean: true},
		StartLeft: start(0, p.Users), StartRight: start(1, p.Items), StartMirror: p.startMirror,
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
	su, sv := u[width:width+own], v[width:width+own]
	if p.holds(n, w, rating, e, pq) {
		if p.Late {
			p.biases(n, u, v, su, sv, e)
		}
		return
	}
	w.Loss += float64(e) * float64(e)
	lu, lv := n.lambda*u[share], n.lambda*v[share]
	lu, lv = lu+n.doubt(lv), lv+n.doubt(lu)
	ru, rv := n.step(su, 0), n.step(sv, 0)
	su[0] += (lu*lu*pp - 2*lu*e*pq + e*e*qq) / float32(p.Rank)
	sv[0] += (lv*lv*qq - 2*lv*e*pq + e*e*pp) / float32(p.Rank)
	for k, x := range mine {
		y := other[k]
		mine[k], other[k] = x-ru*(lu*x-e*y), y-rv*(lv*y-e*x)
	}
	p.biases(n, u, v, su, sv, e)
}

// biases has those of both ends learn from what the model leaves of a rating.
func (p *penalty) biases(n now, u, v, su, sv []float32, e float32) {
	l2 := float32(p.BiasL2)
	gu, gv := l2*u[share]*u[Bias]-e, l2*v[share]*v[Bias]-e
	u[Bias] -= n.step(su, 1) * gu
	v[Bias] -= n.step(sv, 1) * gv
	su[1] += gu * gu
	sv[1] += gv * gv
}

// holds says whether factors do not learn from a rating, and tallies what the model says of it.
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

// step is how far the next gradient leads.
func (n now) step(own []float32, of int) float32 {
	return n.rate[of] * own[further+of] / float32(math.Sqrt(float64(own[of])))
}

// startMirror has a mirror of a vertex that m workers change together go on as if it were all of them. The first
// steps of both ends together go no further than to the rating.
func (p Params) startMirror(own []float32, m float64) {
	own[0], own[1] = 1, 1
	if m > 1 {
		own[0] = float32(max(1/m, 4*m*p.Rate*p.Rate))
		own[1] = float32(max(1/m, 4*m*sooner*sooner*p.Rate*p.Rate))
	}
	own[further], own[further+1] = float32(math.Sqrt(m)), float32(math.Sqrt(m))
}
