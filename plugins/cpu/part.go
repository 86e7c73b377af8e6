package cpu

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/bitmap"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
	"github.com/penstock-db/penstock/plugins/inplace"
)

// checkPart refuses a task that has a part of the edges and cannot be told of the others.
func checkPart(task plugins.Task) error {
	if task.Part && (!task.Restorable || task.Share != nil) {
		return plugins.Errorf(plugins.KindInvalid, "a part needs a task that is restorable and has no share")
	}
	return nil
}

// exchange obeys Gather and Deliver: what came along the edges of one session goes to a column, and
// from there to another that has other edges.
func (s *session) exchange(ctx context.Context, c plugins.Command) (plugins.Event, error) {
	p := s.program
	column, err := inplace.OpenColumn(s.job.Arena, p.code.accType, c.At, p.n)
	if err != nil {
		return plugins.Event{}, plugins.Errorf(plugins.KindInvalid, "accumulators: %w", err)
	}
	var among []uint64
	if c.Among != (arena.Range{}) {
		if among, err = inplace.OpenBitmap(s.job.Arena, c.Among, p.n); err != nil {
			return plugins.Event{}, err
		}
	}
	switch {
	case !p.mode.partial:
		return plugins.Event{}, plugins.Errorf(plugins.KindInvalid, "Gather and Deliver need a task that is a part")
	case c.Op == plugins.Gather:
		return plugins.Event{}, p.gather(ctx, column, among)
	case p.mode.settling:
		return s.settled(0, p.overhear(ctx, column, among))
	}
	return plugins.Event{}, p.deliver(ctx, column, among)
}

// gather writes what has come to some vertices, nil: all, to a column, and forgets it.
func (p *program) gather(ctx context.Context, to vector.Column, among []uint64) error {
	if err := p.prepare(ctx); err != nil { // when no chunk was stepped
		return err
	}
	return p.pool.Blocks(ctx, p.n, func(worker, _, from, end int) {
		strips(from, end, func(from, end int) {
			if among != nil && bitmap.Count(among[from/64:bitmap.Words(end)]) == 0 {
				return
			}
			p.acc.export(worker, to.Slice(from, end), from, end)
			p.acc.reset(from, end)
		})
	})
}

// deliver combines what another session has gathered for some vertices with their accumulators.
func (p *program) deliver(ctx context.Context, gathered vector.Column, among []uint64) error {
	if err := p.prepare(ctx); err != nil { // when no chunk was stepped
		return err
	}
	return p.merge(ctx, gathered, among)
}

// overhear takes over what stands in the state of another session, which may be writing it, where it is better.
func (p *program) overhear(ctx context.Context, state vector.Column, among []uint64) error {
	if err := p.empty(ctx); err != nil {
		return err
	}
	if err := p.merge(ctx, state, among); err != nil {
		return err
	}
	return p.arrive(ctx, nil)
}

// merge combines what a column says of some vertices with their accumulators.
func (p *program) merge(ctx context.Context, column vector.Column, among []uint64) error {
	return p.pool.Blocks(ctx, p.n, func(_, _, from, to int) {
		for word := from / 64; word < bitmap.Words(to); word++ {
			if some := wordOf(among, word) & within(word, from, to); some != 0 {
				p.acc.merge(column, word, some)
			}
		}
	})
}
