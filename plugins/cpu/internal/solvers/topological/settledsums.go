package topological

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// SettledSums solves what sums does, parts of a graph without cycles at a time: the first column is a vertex's own
// term, and what has come so far. When a vertex sends, which it does once, all has.
type SettledSums struct {
	p     *solvers.Problem
	order Forward
}

// NewSettledSums is nil for a program of another shape, and where cycles may be reached.
func NewSettledSums(p *solvers.Problem) *SettledSums {
	if p.Mode.Partial || p.Mode.Intervals || p.Code.Spec.Order != algorithms.Synchronous ||
		p.Code.Spec.Diverged != "" || !addsUp(p) || p.N >= MostForward {
		return nil
	}
	return &SettledSums{p: p}
}

// Name tells of the order.
func (s *SettledSums) Name() string { return "topological order" }

// Scratch is what it takes, the columns of the code among that.
func (s *SettledSums) Scratch() uint64 { return s.p.Code.Bytes() + s.order.Scratch(s.p.N) }

// Allocate takes it.
func (s *SettledSums) Allocate() {
	s.p.Code.Allocate()
	s.order.Allocate(s.p.N)
}

// Begin gives each vertex its own term. Those that have one are the first to send.
func (s *SettledSums) Begin(ctx context.Context) error {
	code, values, first := s.p.Code, s.p.Code.State[0].Floats, uint64(0)
	code.Settle()
	err := s.p.Pool.Blocks(ctx, s.p.N, func(worker, _, from, to int) { code.Fill(worker, from, to) })
	if err != nil {
		return err
	}
	clear(s.p.Active)
	for v := range s.p.N {
		own := code.Affine.Added(v)
		if !(own >= 0) {
			return plugins.Errorf(plugins.KindUnsupported,
				"parts of program %q do not settle: a vertex adds %v to what comes, which is less than nothing", code.Spec.Name, own)
		}
		if values[v] = max(own, 0); own > 0 { // and never -0
			s.p.Active[v/64] |= 1 << (v % 64)
			first++
		}
	}
	s.p.Progress.Set(first, 0)
	return nil
}

// Settle has the active vertices of complete send, and those of complete that they reach, each once.
func (s *SettledSums) Settle(ctx context.Context, chunks []*csr.Chunk, complete []uint64) (edges uint64, err error) {
	active, values := s.p.Active, s.p.Code.State[0].Floats
	lists := csr.NewBlockIndex(chunks, s.p.N)
	by := 0.0 // the most that a vertex has sent
	all, err := s.order.Go(ctx, lists, complete, func(v uint32) {
		if !bitmap.Has(active, int(v)) { // it has sent, or has nothing to send
			return
		}
		active[v/64] &^= 1 << (v % 64)
		sum := values[v]
		lists.Neighbors(v, func(u uint32) {
			values[u] += sum
			by = max(by, sum)
			active[u/64] |= 1 << (u % 64)
			edges++
		})
	})
	s.p.Progress.Conclude(bitmap.Count(active), by)
	if err == nil && !all {
		err = plugins.Errorf(plugins.KindInvalid,
			"program %q settles in topological order: vertices of the set wait for each other", s.p.Code.Spec.Name)
	}
	return edges, err
}
