package linear

import (
	"context"
	"math"
	"slices"
)

// model is the quadratic model of f by how far free weights have moved,
//
//	q(d) = −r·d + d·H d / 2,    H = Σ β (1 − β) z zᵀ + λ₂
//
// where r is their slope.
type model struct {
	matrix
	gram           []float64 // H, feature by feature; nil: it is too large, or of no use
	l2             float64
	bends, product []float64 // of samples: β (1 − β), and room
	diagonal       []float64 // of H
	at             []float64 // w + d
	sign           []float64 // what at keeps to, or 0
	left           []float64 // r − H d
	stays          []bool    // at 0
}

// model is that at the weights of free features.
func (p Params) model(a matrix, free []freed, bends, product []float64) *model {
	m := &model{matrix: a, gram: a.gram(bends), l2: p.L2, bends: bends, product: product, diagonal: a.diagonal(bends),
		stays: make([]bool, len(free))}
	const flat = 1e-12
	for k, u := range free {
		m.diagonal[k] = math.Max(m.diagonal[k]+p.L2, flat)
		m.at, m.left = append(m.at, u.weight), append(m.left, u.slope)
		if m.sign = append(m.sign, 0); p.L1 > 0 {
			m.sign[k] = u.sign
		}
	}
	return m
}

// descend returns a d that makes q small where no weight changes its sign: by conjugate gradients with the diagonal of
// H to precondition, until a tenth of r is left. Where the least along a direction is past a weight of 0, all weights
// that are past are left at 0, if that is better than to stop where the first is; those stay there, and it begins anew
// with the others (Moré, Toraldo: On the Solution of Large Quadratic Programming Problems with Bound Constraints, SIAM
// J. Optimization 1991). H may be singular, where features say the same: then q bends only where a weight is 0, and one
// comes there.
func (m *model) descend(ctx context.Context) (d []float64, err error) {
	const enough, most = 0.01, 500
	goal, before := enough*m.size(), math.Inf(1)
	along := make([]float64, len(m.at))
	d = slices.Clone(m.at)
	for range most {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		size := m.size()
		if size <= goal {
			break
		}
		for k, r := range m.left {
			if along[k] = r/m.diagonal[k] + size/before*along[k]; m.stays[k] {
				along[k] = 0
			}
		}
		through := m.through(along)
		far, first := size/math.Max(inner(along, through), 0), m.first(along)
		if before = size; far < first {
			m.move(far, along, through)
			continue
		}
		if math.IsInf(first, 1) {
			break
		}
		m.bound(along, through, far, first, size)
		before = math.Inf(1)
	}
	for k, w := range d {
		d[k] = m.at[k] - w
	}
	return d, nil
}

// size is how large the slope is that is left.
func (m *model) size() (size float64) {
	for k, r := range m.left {
		if !m.stays[k] {
			size += r * r / m.diagonal[k]
		}
	}
	return size
}

// through is H d.
func (m *model) through(d []float64) (to []float64) {
	if m.gram != nil {
		to = make([]float64, len(d))
		for k := range d {
			to[k] = inner(m.gram[k*len(d):(k+1)*len(d)], d)
		}
	} else {
		m.times(d, m.product)
		for i, b := range m.bends {
			m.product[i] *= b
		}
		to = m.back(m.product)
	}
	for k, x := range d {
		to[k] += m.l2 * x
	}
	return to
}

// first is how far along a direction the first weight is 0.
func (m *model) first(along []float64) float64 {
	first := math.Inf(1)
	for k, x := range along {
		if x*m.sign[k] < 0 {
			first = math.Min(first, -m.at[k]/x)
		}
	}
	return first
}

func (m *model) move(far float64, along, through []float64) {
	for k, x := range along {
		m.at[k] += far * x
		m.left[k] -= far * through[k]
	}
}

// bound moves along a direction in which the least is far, and the first weight is 0 before that. The slope that way is
// so steep.
func (m *model) bound(along, through []float64, far, first, slope float64) {
	least := first*slope - first*first*inner(along, through)/2 // by how much q is less where the first is 0
	to, passed, length := along, through, first
	if !math.IsInf(far, 1) {
		past := m.clipped(along, far)
		if h := m.through(past); inner(past, m.left)-inner(past, h)/2 > least {
			to, passed, length = past, h, 1
		}
	}
	m.move(length, to, passed)
	for k, x := range along {
		if rest := m.at[k] * m.sign[k]; x*m.sign[k] < 0 && rest <= math.Abs(x)*first*1e-12 {
			m.at[k], m.stays[k] = 0, true
		}
	}
}

// clipped is so far along a direction, but to 0 at the most.
func (m *model) clipped(along []float64, far float64) []float64 {
	to := make([]float64, len(along))
	for k, x := range along {
		if to[k] = far * x; (m.at[k]+to[k])*m.sign[k] < 0 {
			to[k] = -m.at[k]
		}
	}
	return to
}

func inner(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
