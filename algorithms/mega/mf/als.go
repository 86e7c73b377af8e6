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
	for range params.Epochs {
		for u, all := range byUser {
			s := NewSystem(m.Rank, params.L2)
			for _, a := range all {
				s.Add(m.item(a.Item), float64(a.Value)-m.Mean-m.ItemBias[a.Item])
			}
			m.UserBias[u] = s.Solve(m.user(uint32(u)))
		}
		for v, all := range byItem {
			s := NewSystem(m.Rank, params.L2)
			for _, a := range all {
				s.Add(m.user(a.User), float64(a.Value)-m.Mean-m.UserBias[a.User])
			}
			m.ItemBias[v] = s.Solve(m.item(uint32(v)))
		}
	}
	return m, nil
}

// System is the equations of a vertex. Of its symmetric matrix the lower half is kept, row after row.
type System struct {
	n      int // unknowns, the bias last
	matrix []float64
	right  []float64
}

// NewSystem is that of a vertex without ratings.
func NewSystem(rank int, l2 float64) *System {
	s := &System{n: rank + 1, matrix: make([]float64, (rank+1)*(rank+2)/2), right: make([]float64, rank+1)}
	s.Reset(l2)
	return s
}

// Reset forgets all ratings.
func (s *System) Reset(l2 float64) {
	clear(s.matrix)
	clear(s.right)
	for i := range s.n {
		s.row(i)[i] = l2
	}
}

func (s *System) row(i int) []float64 { return s.matrix[i*(i+1)/2:][:i+1] }

// Add adds a rating: what is left of it for a vertex with these factors on the other side.
func (s *System) Add(factors []float64, value float64) {
	rank := s.n - 1
	for i, x := range factors {
		row := s.row(i)
		for j := range row {
			row[j] += x * factors[j]
		}
		s.right[i] += value * x
	}
	last := s.row(rank)
	for j, x := range factors {
		last[j] += x
	}
	last[rank]++
	s.right[rank] += value
}

// Solve gives the factors, and the bias, by Cholesky's decomposition. It leaves the decomposition in the system.
func (s *System) Solve(factors []float64) (bias float64) {
	x := s.right
	for i := range s.n {
		row := s.row(i)
		for j := range i {
			other := s.row(j)
			row[j] = (row[j] - dot(row[:j], other[:j])) / other[j]
		}
		// Without penalty a vertex may have fewer ratings than unknowns; those that are left open are 0.
		row[i] = math.Sqrt(math.Max(row[i]-dot(row[:i], row[:i]), 1e-12))
		x[i] = (x[i] - dot(row[:i], x[:i])) / row[i]
	}
	for i := s.n - 1; i >= 0; i-- {
		x[i] /= s.row(i)[i]
		for j := range i {
			x[j] -= s.row(i)[j] * x[i]
		}
	}
	copy(factors, x)
	return x[s.n-1]
}
