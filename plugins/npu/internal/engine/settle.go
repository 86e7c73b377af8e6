package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins/kit"
)

// Settle lets the active vertices of a set send, and those of the set that are reached by that, and so
// on: for so many rounds (0: any number), or until none of them is active. A vertex that has sent is active
// no more; a vertex that was reached is, until it sends.
func (p *Program) Settle(ctx context.Context, _ []*kit.Chunk, set []uint64, rounds int) (edges uint64, err error) {
	l := p.lanes[0]
	m, err := p.maker.Of(p.chunks)
	if err != nil {
		return 0, err
	}
	if rounds == 0 {
		rounds = bound(p.spec, p.n, p.late)
	}
	for ; rounds > 0 && l.Depart(set, p.departing); rounds-- {
		if err := m.Send(ctx, p.lanes, p.departing); err != nil {
			return edges, err
		}
		l.Take(m.Came(0).Acc, m.Linked())
		m.Later(0, l.Active)
		p.iteration++
		edges += m.Edges
	}
	return edges, nil
}
