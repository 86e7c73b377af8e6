package engine

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers/topological"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// sorted settles in topological order, on one worker: each vertex sends once all have that lead to it. So do programs
// whose messages may be better than what their senders have. Longer ways may bring better values there, and in rounds
// whatever lies behind would be corrected over and over, along a path with short cuts as often as it has vertices.
//
// What cycles keep waiting is left to rounds.
type sorted struct{ order topological.Forward }

// newSorted is nil for programs of another shape, and where edges that gain are refused (CheckWeights).
func newSorted(p *Program) *sorted {
	steps, spec := p.Code.Steps, p.Code.Spec
	if steps.Known && (steps.By == nil || spec.Diverged != "") || spec.Order != algorithms.Monotone || !p.takesLists() ||
		p.N >= topological.MostForward {
		return nil
	}
	return &sorted{}
}

// checkFactors refuses a chunk along whose edges the better of two values may become the worse one.
func (s *sorted) checkFactors(p *Program, r *csr.Chunk) error {
	process := p.Code.Process
	if s == nil || process.Weighting != shape.Times {
		return nil
	}
	for _, w := range r.WeightsOf(p.Code.EdgeColumn(process.EdgeColumn)) {
		if !(w >= 0) {
			return plugins.Errorf(plugins.KindUnsupported, "program %q does not settle in topological order with an edge of %s %v: "+
				"better values become worse ones", p.Code.Spec.Name, process.EdgeColumn, w)
		}
	}
	return nil
}

func (s *sorted) scratch(n int) uint64 {
	if s == nil {
		return 0
	}
	return s.order.Scratch(n)
}

func (s *sorted) allocate(n int) {
	if s != nil {
		s.order.Allocate(n)
	}
}

// settle has the active vertices of complete send, and those of complete that they reach, as far as there is an order.
// by has the lists.
func (s *sorted) settle(ctx context.Context, p *Program, by *short, complete []uint64) (edges uint64, err error) {
	if err := p.empty(ctx); err != nil {
		return 0, err
	}
	_, err = s.order.Go(ctx, by.cover, complete, func(v uint32) {
		if bitmap.Has(p.Active, int(v)) { // else nothing better has come to it
			by.front = append(by.front[:0], v)
			edges += uint64(by.degree(v))
			by.iterate(p)
		}
	})
	p.Progress.Iteration++
	p.prepared = false
	return edges, err
}
