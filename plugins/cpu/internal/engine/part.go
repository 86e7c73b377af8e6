package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/evaluation"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Gather writes what has come to some vertices, nil: all, to a column, and forgets it.
func (p *Program) Gather(ctx context.Context, to vector.Column, among []uint64) error {
	if err := p.prepare(ctx); err != nil { // when no chunk was stepped
		return err
	}
	return p.Pool.Blocks(ctx, p.N, func(worker, _, from, end int) {
		evaluation.Strips(from, end, func(from, end int) {
			if among != nil && bitmap.Count(among[from/64:bitmap.Words(end)]) == 0 {
				return
			}
			p.Acc.Export(worker, to.Slice(from, end), from, end)
			p.Acc.Reset(from, end)
		})
	})
}

// Deliver combines what another session has gathered for some vertices with their accumulators.
func (p *Program) Deliver(ctx context.Context, gathered vector.Column, among []uint64) error {
	if err := p.prepare(ctx); err != nil { // when no chunk was stepped
		return err
	}
	return p.merge(ctx, gathered, among)
}

// Overhear takes over what stands in the state of another session, which may be writing it, where it is better.
func (p *Program) Overhear(ctx context.Context, state vector.Column, among []uint64) error {
	if err := p.empty(ctx); err != nil {
		return err
	}
	if err := p.merge(ctx, state, among); err != nil {
		return err
	}
	return p.arrive(ctx, nil)
}

// merge combines what a column says of some vertices with their accumulators.
func (p *Program) merge(ctx context.Context, column vector.Column, among []uint64) error {
	return p.Pool.Blocks(ctx, p.N, func(_, _, from, to int) {
		for word := from / 64; word < bitmap.Words(to); word++ {
			if some := wordOf(among, word) & bitmap.Within(word, from, to); some != 0 {
				p.Acc.Merge(column, word, some)
			}
		}
	})
}
