// Package mf is matrix factorization as a MEGA program.
package mf

import (
	"math"
	"math/rand/v2"

	"github.com/penstock-db/penstock/plugins/mega"
)

// Params are those of a factorization.
type Params struct {
	Rank, Epochs int
	Rate         float64 // η of the first epoch; it falls to 0 evenly
	L2           float64 // λ of a vertex: divided among its ratings
	Mean         float64 // μ
	Seed         uint64
	Users, Items []uint32 // how many ratings each has
}

// A row is: λ over the vertex's ratings, the bias, the factors; then the sum of squares, which is the user's, and of
// each mirror its own.
const (
	share = iota
	Bias
	Factors
)

// Program takes a rating r of item v by user u to be r̂ = μ + b_u + c_v + p_u · q_v. Of each rating, with e = r − r̂,
//
//	g_p = λ p_u − e q_v    g_q = λ q_v − e p_u    g_b = λ b_u − e    g_c = λ c_v − e
//	s_u += |g_p|² / k      s_v += |g_q|² / k
//	p_u −= η/√s_u g_p      q_v −= η/√s_v g_q      b_u −= η/√s_u g_b  c_v −= η/√s_v g_c
//
// where λ is λ_u = L2 over the ratings of u, and likewise of v. s, which begins at 1, is a sum for each vertex, not for
// each number (Chin, Zhuang, Juan, Lin: A Learning-Rate Schedule for Stochastic Gradient Methods to Matrix
// Factorization, PAKDD 2015). What is told of an epoch is Σ e².
func Program(p Params) *mega.Program[float32, float32, float32] {
	width := Factors + p.Rank
	start := func(side uint64, ratings []uint32) func(int, []float32) {
		return func(v int, row []float32) {
			row[share] = float32(p.L2 / float64(max(ratings[v], 1)))
			random := rand.New(rand.NewPCG(p.Seed, uint64(v)<<1|side))
			for k := range p.Rank {
				row[Factors+k] = float32(0.1 / math.Sqrt(float64(p.Rank)) * random.NormFloat64())
			}
		}
	}
	return &mega.Program[float32, float32, float32]{
		Name: "mf", Left: width + 1, Right: mega.Rows{Shared: width, Mirror: 1},
		StartLeft: start(0, p.Users), StartRight: start(1, p.Items),
		Exchange: func(w *mega.Worker[float32], u, v []float32, rating *float32) {
			rate := p.Rate * (1 - float64(w.Epoch)/float64(p.Epochs))
			mine, other := u[Factors:width], v[Factors:width]
			var pp, qq, pq float32
			for k, x := range mine {
				y := other[k]
				pp, qq, pq = pp+x*x, qq+y*y, pq+x*y
			}
			e := *rating - float32(p.Mean) - u[Bias] - v[Bias] - pq
			w.Loss += float64(e) * float64(e)
			lu, lv := u[share], v[share]
			u[width] += (lu*lu*pp - 2*lu*e*pq + e*e*qq) / float32(p.Rank)
			v[width] += (lv*lv*qq - 2*lv*e*pq + e*e*pp) / float32(p.Rank)
			ru := float32(rate / math.Sqrt(1+float64(u[width])))
			rv := float32(rate / math.Sqrt(1+float64(v[width])))
			for k, x := range mine {
				y := other[k]
				mine[k], other[k] = x-ru*(lu*x-e*y), y-rv*(lv*y-e*x)
			}
			u[Bias] -= ru * (lu*u[Bias] - e)
			v[Bias] -= rv * (lv*v[Bias] - e)
		},
		Stages: []mega.Stage{mega.MiniBatch(mega.Exchange(), mega.Sync())},
	}
}
