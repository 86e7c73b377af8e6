package mf

import "math"

// Preferences are the equations of a vertex of implicit feedback (Hu, Koren, Volinsky: Collaborative Filtering for
// Implicit Feedback Datasets, ICDM 2008, equations 3 to 5). Of each pair of a user u and an item i there is how often
// it was observed, r, mostly 0; that u prefers i, p, is 1 where r > 0, and else 0; how much that counts is c = 1 + α r.
// Factors of both make least
//
//	Σ over all pairs of c (p − x_u · y_i)²  +  λ (Σ over users of |x_u|² + Σ over items of |y_i|²)
//
// With the items as they are, the best for u is where, YᵀY being Σ over all items of y yᵀ,
//
//	(YᵀY + Σ over items that u has of α r y yᵀ + λ I) x_u = Σ over items that u has of (1 + α r) y
//
// so that a vertex costs what it has alone.
type Preferences struct {
	equations
	alpha    float64
	observed float64 // Σ c of what was added
}

// NewPreferences are those of a vertex that has nothing.
func NewPreferences(rank int, alpha float64) *Preferences {
	return &Preferences{equations: newEquations(rank), alpha: alpha}
}

// Reset forgets all that was added.
func (s *Preferences) Reset() {
	s.reset()
	s.observed = 0
}

// Add adds that a vertex with these factors on the other side was observed so often, which is at least 0.
func (s *Preferences) Add(factors []float64, r float64) {
	if r == 0 {
		return
	}
	more := s.alpha * r
	x, root := s.next(), math.Sqrt(more)
	for i, y := range factors {
		x[i] = root * y
		s.right[i] += (1 + more) * y
	}
	s.observed += 1 + more
	s.added()
}

// Solve gives the factors. all is YᵀY of the other side, the lower half row after row. left is what they leave of the
// objective: Σ c (p − x · y)² over all of the other side, and λ |x|². They are to be Reset then.
func (s *Preferences) Solve(all []float64, l2 float64, factors []float64) (left float64) {
	s.finish()
	for i, x := range all {
		s.matrix[i] += x
	}
	for i := range s.n {
		s.row(i)[i] += l2
	}
	x, gained := s.solve()
	copy(factors, x)
	return math.Max(s.observed-gained, 0)
}
