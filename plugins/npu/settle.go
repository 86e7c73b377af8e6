package npu

import (
	"context"

	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
)

// checkWeights refuses a chunk with whose weights a program might go on settling for ever.
func (p *program) checkWeights(r *resident) error {
	if !p.settling || p.spec.Diverged == "" {
		return nil
	}
	for _, w := range r.weights[0] {
		if err := shape.SettlesWith(p.spec, w); err != nil {
			return err
		}
	}
	return nil
}

// Settle lets the active vertices of a set send, and those of the set who are reached by that, and so
// on: for so many rounds (0: any number), or until none of them is active. Who sent is active
// no more; who was reached is, until it sends.
func (p *program) Settle(ctx context.Context, _ []*kit.Chunk, set []uint64, rounds int) (edges uint64, err error) {
	l := p.lanes[0]
	if err := p.make(p.chunks); err != nil {
		return 0, err
	}
	if rounds == 0 {
		rounds = p.bound()
	}
	for ; rounds > 0 && l.depart(set, p.departing); rounds-- {
		if err := p.matrix.send(ctx, p.lanes, p.departing); err != nil {
			return edges, err
		}
		l.take(p.matrix.lanes[0].Acc, p.matrix.ids)
		leave(p.matrix.lanes[0].Left, p.matrix.ids, l.active)
		p.iteration++
		edges += p.matrix.edges
	}
	return edges, nil
}

// depart takes those of a set who are active out of the active set, and tells whether there
// are any.
func (l *lane) depart(set, departing []uint64) bool {
	var any uint64
	for i, word := range l.active {
		departing[i] = word & set[i]
		l.active[i] = word &^ set[i]
		any |= departing[i]
	}
	return any != 0
}

// take improves the first column of the vertices at these numbers, and makes those active whom that
// changes.
func (l *lane) take(values vector.Column, at []uint32) {
	for i, v := range at {
		if improve(l.spec.Reduce, l.state[0], int(v), values, i) {
			l.active[v/64] |= 1 << (v % 64)
		}
	}
}
