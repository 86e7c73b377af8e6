package mf

import "math"

// Alternate minimizes by alternating least squares (Zhou, Wilkinson, Schreiber, Pan: Large-Scale Parallel
// Collaborative Filtering for the Netflix Prize, AAIM 2008). With one side held fast, what is best for a vertex
// u of the other is the solution of k + 1 linear equations, x_v being (q_v, 1):
//
//	(λ I + Σ over ratings of u of x_v x_vᵀ) (p_u, b_u) = Σ over ratings of u of (r − μ − c_v) x_v
func Alternate(r Ratings, params Params) (*Model, error) {
	if err := params.Check("als"); err != nil {
		return nil, err
	}
	if err := r.Check("als"); err != nil {
		return nil, err
	}
	m := newModel(r, params.Rank)
	m.draw(params.Seed)
	byUser, byItem := make([][]Rating, r.Users), make([][]Rating, r.Items)
	for _, a := range r.All {
		byUser[a.User] = append(byUser[a.User], a)
		byItem[a.Item] = append(byItem[a.Item], a)
	}
	s := NewSystem(m.Rank)
	for range params.Epochs {
		for u, all := range byUser {
			s.Reset()
			for _, a := range all {
				s.Add(m.item(a.Item), float64(a.Value)-m.Mean-m.ItemBias[a.Item])
			}
			m.UserBias[u], _ = s.Solve(params.L2, params.L2, m.user(uint32(u)))
		}
		for v, all := range byItem {
			s.Reset()
			for _, a := range all {
				s.Add(m.user(a.User), float64(a.Value)-m.Mean-m.UserBias[a.User])
			}
			m.ItemBias[v], _ = s.Solve(params.L2, params.L2, m.item(uint32(v)))
		}
	}
	return m, nil
}

// System is the equations of a vertex: of its factors, and of its bias, which comes last.
type System struct {
	equations
	squares float64 // of values
	ratings int     // that were added
}

// NewSystem is that of a vertex without ratings.
func NewSystem(rank int) *System { return &System{equations: newEquations(rank + 1)} }

// Reset forgets all ratings.
func (s *System) Reset() {
	s.reset()
	s.squares, s.ratings = 0, 0
}

// Ratings is how many were added.
func (s *System) Ratings() int { return s.ratings }

// Add adds a rating: what is left of it for a vertex with these factors on the other side.
func (s *System) Add(factors []float64, value float64) {
	x := s.next()
	copy(x, factors)
	x[s.n-1] = 1
	for i, xi := range x {
		s.right[i] += value * xi
	}
	s.squares += value * value
	s.ratings++
	s.added()
}

// Solve gives the factors, and the bias, by Cholesky's decomposition, with λ for the factors and for the bias. left is
// the sum of squares that they leave of the ratings. The system is to be Reset then.
func (s *System) Solve(l2, biasL2 float64, factors []float64) (bias, left float64) {
	s.finish()
	for i := range s.n - 1 {
		s.row(i)[i] += l2
	}
	s.row(s.n - 1)[s.n-1] += biasL2
	x, gained := s.solve()
	// The objective at its minimum is Σ r² less what is gained.
	left = s.squares - gained
	copy(factors, x)
	bias = x[s.n-1]
	left -= l2*dot(x[:s.n-1], x[:s.n-1]) + biasL2*bias*bias
	return bias, math.Max(left, 0)
}
