package nearest

import (
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// relax offers what v sends to the neighbors in one of its lists.
func (s *Nearest) relax(v uint32, l csr.List) {
	base, neighbors := uint32(l.Cols.Base), l.Neighbors[l.From:l.To]
	switch {
	case s.messages != nil:
		s.evaluate(l)
	case s.state.Ints != nil:
		message := s.state.Ints[v]
		if s.adds {
			message += s.by.Int
		}
		s.offer(base, neighbors, s.order.Int(message))
	default:
		message := s.state.Floats[v]
		if s.adds {
			message += s.by.Float
		}
		if s.weights < 0 {
			s.offer(base, neighbors, s.order.Float(message))
			return
		}
		s.weigh(base, neighbors, l.Weights[s.weights][l.From:l.To], message)
	}
}

// offer offers all neighbors the value of a key.
func (s *Nearest) offer(base uint32, neighbors []uint32, key int64) {
	for _, local := range neighbors {
		if u := base + local; key < s.order.At(&s.state, int(u)) {
			s.improve(u, key)
		}
	}
}

// weigh offers each neighbor what its edge makes of a message.
func (s *Nearest) weigh(base uint32, neighbors []uint32, weights []float64, message float64) {
	values, weighting := s.state.Floats, s.p.Code.Process.Weighting
	for i, local := range neighbors {
		x, u := message, base+local
		switch weighting {
		case shape.Plus:
			x += weights[i]
		case shape.Times:
			x *= weights[i]
		case shape.Least:
			x = min(x, weights[i])
		case shape.Largest:
			x = max(x, weights[i])
		}
		if key := s.order.Float(x); key < s.order.Float(values[u]) {
			s.improve(u, key)
		}
	}
}

// evaluate offers each neighbor of a list what Process makes of its edge.
func (s *Nearest) evaluate(l csr.List) {
	for from := l.From; from < l.To; from += vector.Width {
		to := min(from+vector.Width, l.To)
		messages := s.messages.Values(l.Chunk, l.Row, from, to)
		for i, local := range l.Neighbors[from:to] {
			u := uint32(l.Cols.Base) + local
			if key := s.order.At(&messages, i); key < s.order.At(&s.state, int(u)) {
				s.improve(u, key)
			}
		}
	}
}

// improve gives u a better state, with which it is to send, once its lists are here.
func (s *Nearest) improve(u uint32, key int64) {
	s.order.Put(&s.state, int(u), key)
	s.p.Active[u/64] |= 1 << (u % 64)
	if bitmap.Has(s.complete, int(u)) {
		s.heap.Put(u)
	}
}
