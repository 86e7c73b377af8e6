package mf

import (
	"math"
	"math/rand/v2"
)

// Train minimizes by stochastic gradient descent. For every rating, in an order drawn anew each epoch, with e =
// r − r̂ and λ_u = λ over the number of ratings of u,
//
//	g_p = λ_u p_u − e q_v    g_q = λ_v q_v − e p_u    g_b = λ_u b_u − e    g_c = λ_v c_v − e
//	s_u += |g_p|² / k        s_v += |g_q|² / k
//	p_u −= η/√s_u g_p        q_v −= η/√s_v g_q        b_u −= η/√s_u g_b    c_v −= η/√s_v g_c
//
// s is a sum for each vertex, not for each number: the rate of AdaGrad at a fraction of its memory (Chin,
// Zhuang, Juan, Lin: A Learning-Rate Schedule for Stochastic Gradient Methods to Matrix Factorization, PAKDD
// 2015). Unlike there, η falls from epoch to epoch in a line to 0, which takes away the noise of the last
// steps.
func Train(r Ratings, params Params) (*Model, error) {
	if err := params.Check("mf"); err != nil {
		return nil, err
	}
	if err := r.Check("mf"); err != nil {
		return nil, err
	}
	m := newModel(r, params.Rank)
	m.draw(params.Seed)
	users, items := newRates(r.Users, params.L2), newRates(r.Items, params.L2)
	for _, a := range r.All {
		users[a.User].ratings++
		items[a.Item].ratings++
	}
	random := rand.New(rand.NewPCG(params.Seed, 1))
	for epoch := range params.Epochs {
		rate := params.Rate * (1 - float64(epoch)/float64(params.Epochs))
		for _, i := range random.Perm(len(r.All)) {
			a := r.All[i]
			m.step(a, &users[a.User], &items[a.Item], rate)
		}
	}
	return m, nil
}

// vertexRate says how far a vertex goes.
type vertexRate struct{ squares, ratings, l2 float64 }

// newRates begin with a sum of squares that bounds the first steps.
func newRates(n int, l2 float64) []vertexRate {
	all := make([]vertexRate, n)
	for i := range all {
		all[i] = vertexRate{squares: 1, l2: l2}
	}
	return all
}

// draw makes factors small and random; biases stay 0.
func (m *Model) draw(seed uint64) {
	size := 0.1 / math.Sqrt(float64(m.Rank))
	for side, of := range [][]float64{m.P, m.Q} {
		r := rand.New(rand.NewPCG(seed, uint64(2+side)))
		for i := range of {
			of[i] = size * r.NormFloat64()
		}
	}
}

func (m *Model) step(a Rating, user, item *vertexRate, rate float64) {
	p, q := m.user(a.User), m.item(a.Item)
	b, c := &m.UserBias[a.User], &m.ItemBias[a.Item]
	lu, lv := user.l2/user.ratings, item.l2/item.ratings
	e := float64(a.Value) - m.Predict(a.User, a.Item)
	pp, qq, pq := dot(p, p), dot(q, q), dot(p, q)
	user.squares += (lu*lu*pp - 2*lu*e*pq + e*e*qq) / float64(m.Rank)
	item.squares += (lv*lv*qq - 2*lv*e*pq + e*e*pp) / float64(m.Rank)
	ru, rv := rate/math.Sqrt(user.squares), rate/math.Sqrt(item.squares)
	for i, x := range p {
		y := q[i]
		p[i] -= ru * (lu*x - e*y)
		q[i] -= rv * (lv*y - e*x)
	}
	*b -= ru * (lu**b - e)
	*c -= rv * (lv**c - e)
}
