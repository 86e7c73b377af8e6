package topological

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// OwnSums solves what sums does along the edges among the vertices of an interval, once Apply has made their values of
// all that comes from elsewhere. Edges are looked at three times, however deep the graph is.
type OwnSums struct {
	p       *solvers.Problem
	order   Forward
	senders []uint64 // scratch: vertices with an edge
	reached []uint64 // scratch: those of them to which something has come
}

// NewOwnSums is nil for a program of another shape.
func NewOwnSums(p *solvers.Problem) *OwnSums {
	if !p.Mode.Intervals || p.Code.Spec.Order != algorithms.Synchronous || !addsUp(p) || p.N >= MostForward {
		return nil
	}
	return &OwnSums{p: p}
}

// Scratch is what it takes.
func (s *OwnSums) Scratch() uint64 { return s.order.Scratch(s.p.N) + 2*8*uint64(bitmap.Words(s.p.N)) }

// Allocate takes it.
func (s *OwnSums) Allocate() {
	s.order.Allocate(s.p.N)
	s.senders, s.reached = make([]uint64, bitmap.Words(s.p.N)), make([]uint64, bitmap.Words(s.p.N))
}

// Settle has the vertices of complete pass on what they have, each once, behind all of them that lead to it. A cycle
// that nothing reaches adds up nothing. One that something reaches is an error of KindUnsupported.
func (s *OwnSums) Settle(ctx context.Context, chunks []*csr.Chunk, complete []uint64) (edges uint64, err error) {
	values, lists := s.p.Code.State[0].Floats, csr.NewBlockIndex(chunks, s.p.N)
	s.choose(chunks, complete)
	if err := s.order.Reach(ctx, lists, s.senders, s.reached); err != nil {
		return 0, err
	}
	by := 0.0 // the most that a vertex has sent
	all, err := s.order.Go(ctx, lists, s.reached, func(v uint32) {
		sum := values[v]
		lists.Neighbors(v, func(u uint32) {
			values[u] += sum
			by = max(by, sum)
			edges++
		})
	})
	for w := range s.p.Active {
		s.p.Active[w] &^= complete[w]
	}
	s.p.Progress.Conclude(bitmap.Count(s.p.Active), by)
	if err == nil && !all {
		err = plugins.Errorf(plugins.KindUnsupported, "program %q settles in topological order: vertices of an interval wait "+
			"for each other", s.p.Code.Spec.Name)
	}
	return edges, err
}

// choose finds the vertices of complete that have an edge, and those of them that are not 0.
func (s *OwnSums) choose(chunks []*csr.Chunk, complete []uint64) {
	values := s.p.Code.State[0].Floats
	clear(s.senders)
	clear(s.reached)
	for _, r := range chunks {
		for row := range len(r.Offsets) - 1 {
			v := int(r.Rows.Base) + r.Local(row)
			if r.Offsets[row] == r.Offsets[row+1] || !bitmap.Has(complete, v) {
				continue
			}
			if s.senders[v/64] |= 1 << (v % 64); values[v] != 0 {
				s.reached[v/64] |= 1 << (v % 64)
			}
		}
	}
}
