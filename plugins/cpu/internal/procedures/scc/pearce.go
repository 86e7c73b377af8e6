package scc

import (
	"context"

	"github.com/penstock-db/penstock/internal/depthfirst"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// rest assigns what is left, by a search in the arrays that the steps before have done with.
func (s *separation) rest(ctx context.Context, p procedures.Progress) error {
	e := &depthfirst.Search[csr.Index]{Lists: s.out, Rank: s.entering, Done: s.leaving, Path: s.list.Work,
		At: s.list.Found.Vertices, Component: s.assign}
	for v, state := range s.state {
		e.Rank[v] = 0
		if state > reached {
			e.Rank[v] = depthfirst.Outside
		}
	}
	e.Begin()
	told := p.From
	for v := range s.N {
		if err := e.From(ctx, uint32(v)); err != nil {
			return err
		}
		if at := p.At(float64(v) / float64(s.N)); at-told >= 0.01 {
			told = at
			p.Tell(at)
		}
	}
	return ctx.Err()
}

// assign names a component by its least id.
func (s *separation) assign(v uint32, others []int32) error {
	id := s.ids[v]
	for _, w := range others {
		id = min(id, s.ids[w])
	}
	s.component[v] = id
	for _, w := range others {
		s.component[w] = id
	}
	return nil
}
