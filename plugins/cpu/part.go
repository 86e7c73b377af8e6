package cpu

import (
	"context"
	"math/bits"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/kit/bitmap"
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
	values, err := kit.OpenColumn(s.job.Arena, p.accType, c.At, p.n)
	if err != nil {
		return plugins.Event{}, plugins.Errorf(plugins.KindInvalid, "accumulators: %w", err)
	}
	column := vector.View(values)
	var among []uint64
	if c.Among != (arena.Range{}) {
		if among, err = kit.OpenBitmap(s.job.Arena, c.Among, p.n); err != nil {
			return plugins.Event{}, err
		}
	}
	switch {
	case !p.partial:
		return plugins.Event{}, plugins.Errorf(plugins.KindInvalid, "Gather and Deliver need a task that is a part")
	case c.Op == plugins.Gather:
		return plugins.Event{}, p.gather(ctx, column, among)
	case p.settling:
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
			p.tell(worker, to.Slice(from, end), from, end)
			p.await(from, end)
		})
	})
}

// tell writes what has come to a strip of vertices. Where the accumulators begin as the state,
// who was not touched has received nothing.
func (p *program) tell(worker int, to vector.Column, from, end int) {
	to.Copy(p.received(worker, from, end))
	if !p.improves() {
		return
	}
	var words [vector.Width / 64]uint64
	untouched := words[:bitmap.Words(end-from)]
	for i, word := range p.touched[from/64 : bitmap.Words(end)] {
		untouched[i] = bitmap.Within(from/64+i, from, end) &^ word
	}
	fillSome(to, identity(p.spec.Reduce, p.accType), untouched)
}

// deliver combines what another session has gathered for some vertices with their accumulators.
func (p *program) deliver(ctx context.Context, gathered vector.Column, among []uint64) error {
	if err := p.prepare(ctx); err != nil { // when no chunk was stepped
		return err
	}
	return p.receive(ctx, gathered, among)
}

// overhear takes over what stands in the state of another session, which may be writing it, where it is better.
func (p *program) overhear(ctx context.Context, state vector.Column, among []uint64) error {
	if !p.emptied {
		if err := p.empty(ctx); err != nil {
			return err
		}
	}
	if err := p.receive(ctx, state, among); err != nil {
		return err
	}
	return p.arrive(ctx, nil)
}

// receive combines what a column says of some vertices with their accumulators.
func (p *program) receive(ctx context.Context, said vector.Column, among []uint64) error {
	receive := p.lowerWord
	if shape.Accumulates(p.spec.Reduce) {
		receive = p.addWord
	}
	return p.pool.Blocks(ctx, p.n, func(_, _, from, to int) {
		for word := from / 64; word < bitmap.Words(to); word++ {
			if some := wordOf(among, word) & bitmap.Within(word, from, to); some != 0 {
				reached := receive(said, word, some)
				if p.touched != nil {
					p.touched[word] |= reached
				}
			}
		}
	})
}

// lowerWord tells whose key among some of a word it has lowered.
func (p *program) lowerWord(said vector.Column, word int, some uint64) (lowered uint64) {
	for ; some != 0; some &= some - 1 {
		v := word*64 + bits.TrailingZeros64(some)
		if key := p.keyOf(said, v); key < p.keys[v] {
			p.keys[v] = key
			lowered |= some & -some
		}
	}
	return lowered
}

// addWord adds to some of a word, or multiplies.
func (p *program) addWord(said vector.Column, word int, some uint64) uint64 {
	for v := range bitmap.Members([]uint64{some}) {
		v += word * 64
		if p.acc.Floats != nil {
			p.acc.Floats[v] = combined(p.spec.Reduce, p.acc.Floats[v], said.Floats[v])
		} else {
			p.acc.Ints[v] = combined(p.spec.Reduce, p.acc.Ints[v], said.Ints[v])
		}
	}
	return some
}

// combined is what Sum or Prod makes of two.
func combined[T number](r algorithms.Reduce, a, b T) T {
	if r == algorithms.Prod {
		return a * b
	}
	return a + b
}
