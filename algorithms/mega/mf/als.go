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

// System is the equations of a vertex. Of its symmetric matrix the lower half is kept, row after row.
type System struct {
	n       int // unknowns, the bias last
	matrix  []float64
	right   []float64
	squares float64           // of values
	ratings int               // that were added
	waiting [together]waiting // to be brought to the matrix
}

// waiting is x of a rating, so many of which are brought to the matrix at once: its numbers are then loaded and stored
// the fewer times. What is added up, and in which order, depends on the ratings and their order alone.
type waiting []float64

const together = 4

// NewSystem is that of a vertex without ratings.
func NewSystem(rank int) *System {
	n := rank + 1
	s := &System{n: n, matrix: make([]float64, n*(n+1)/2), right: make([]float64, n)}
	for i := range s.waiting {
		s.waiting[i] = make([]float64, n)
		s.waiting[i][rank] = 1
	}
	return s
}

// Reset forgets all ratings.
func (s *System) Reset() {
	clear(s.matrix)
	clear(s.right)
	s.squares, s.ratings = 0, 0
}

// Ratings is how many were added.
func (s *System) Ratings() int { return s.ratings }

func (s *System) row(i int) []float64 { return s.matrix[i*(i+1)/2:][:i+1] }

// Add adds a rating: what is left of it for a vertex with these factors on the other side.
func (s *System) Add(factors []float64, value float64) {
	x := s.waiting[s.ratings%together]
	copy(x[:s.n-1], factors)
	for i, xi := range x {
		s.right[i] += value * xi
	}
	s.squares += value * value
	if s.ratings++; s.ratings%together == 0 {
		s.bring()
	}
}

// bring adds the x xᵀ of all that waits to the matrix.
func (s *System) bring() {
	a, b, c, d := s.waiting[0], s.waiting[1], s.waiting[2], s.waiting[3]
	at := 0
	for i := range s.n {
		row := s.matrix[at:][:i+1]
		at += i + 1
		ai, bi, ci, di := a[i], b[i], c[i], d[i]
		aj, bj, cj, dj := a[:len(row)], b[:len(row)], c[:len(row)], d[:len(row)]
		for j := range row {
			row[j] += ai*aj[j] + bi*bj[j] + ci*cj[j] + di*dj[j]
		}
	}
}

// finish brings what still waits.
func (s *System) finish() {
	if s.ratings%together == 0 {
		return
	}
	for k := s.ratings % together; k < together; k++ {
		clear(s.waiting[k])
	}
	s.bring()
	for _, x := range s.waiting {
		x[s.n-1] = 1
	}
}

// Solve gives the factors, and the bias, by Cholesky's decomposition, with λ for the factors and for the bias. left is
// the sum of squares that they leave of the ratings. The system is to be Reset then.
func (s *System) Solve(l2, biasL2 float64, factors []float64) (bias, left float64) {
	s.finish()
	for i := range s.n - 1 {
		s.row(i)[i] += l2
	}
	s.row(s.n - 1)[s.n-1] += biasL2
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
	// L y = b: the objective at its minimum is Σ r² − yᵀ y.
	left = s.squares - dot(x, x)
	for i := s.n - 1; i >= 0; i-- {
		x[i] /= s.row(i)[i]
		for j := range i {
			x[j] -= s.row(i)[j] * x[i]
		}
	}
	copy(factors, x)
	bias = x[s.n-1]
	left -= l2*dot(x[:s.n-1], x[:s.n-1]) + biasL2*bias*bias
	return bias, math.Max(left, 0)
}
