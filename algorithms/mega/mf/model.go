package mf

import "math"

// Model is what was learned. Factors are rows of Rank numbers.
type Model struct {
	Rank     int
	Mean     float64
	UserBias []float64
	ItemBias []float64
	P, Q     []float64 // factors of users and of items
}

func newModel(r Ratings, rank int) *Model {
	return &Model{rank, r.Mean(), make([]float64, r.Users), make([]float64, r.Items),
		make([]float64, r.Users*rank), make([]float64, r.Items*rank)}
}

func (m *Model) user(u uint32) []float64 { return m.P[int(u)*m.Rank:][:m.Rank] }
func (m *Model) item(v uint32) []float64 { return m.Q[int(v)*m.Rank:][:m.Rank] }

// Predict is r̂(u, v).
func (m *Model) Predict(u, v uint32) float64 {
	return m.Mean + m.UserBias[u] + m.ItemBias[v] + dot(m.user(u), m.item(v))
}

// RMSE is the root of the mean square of r − r̂.
func (m *Model) RMSE(of []Rating) float64 {
	sum := 0.0
	for _, a := range of {
		e := float64(a.Value) - m.Predict(a.User, a.Item)
		sum += e * e
	}
	return math.Sqrt(sum / float64(len(of)))
}

// Objective is what training makes small.
func (m *Model) Objective(r Ratings, l2 float64) float64 {
	sum := l2 * (dot(m.UserBias, m.UserBias) + dot(m.ItemBias, m.ItemBias) + dot(m.P, m.P) + dot(m.Q, m.Q))
	for _, a := range r.All {
		e := float64(a.Value) - m.Predict(a.User, a.Item)
		sum += e * e
	}
	return sum
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
