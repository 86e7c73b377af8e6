package host

import (
	"context"

	"github.com/penstock-db/penstock/host/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// streamed passes chunks through the slots, iteration by iteration.
func (r *run) streamed() error {
	state, err := r.scheduleState()
	if err != nil {
		return err
	}
	if err := r.init(); err != nil {
		return err
	}
	free := make(chan arena.Range, len(r.fit.slots))
	for _, slot := range r.fit.slots {
		free <- slot
	}
	lap := r.newLap()
	for !r.final.Converged && r.final.Number < r.bound() {
		state.All = r.final.Active == r.snap.Manifest().Vertices
		needed := schedule.Whole(state)
		if err := r.step(needed, free); err != nil {
			return err
		}
		e, err := r.talk.do(plugins.Command{Op: plugins.Apply}, nil)
		if err != nil {
			return err
		}
		r.iterated(&lap, *e.Iteration, len(needed))
	}
	return nil
}

func (r *run) bound() int { return r.task.Program.Bound(r.snap.Manifest().Vertices) }

// scheduleState is what policies see. Its bitmap is the arena's own, which the device
// writes in Init and Apply and the host reads after them.
func (r *run) scheduleState() (schedule.State, error) {
	active, err := r.arena.Uint64s(r.task.Layout.Active)
	state := schedule.State{Active: active}
	for _, c := range r.chunks {
		state.Chunks = append(state.Chunks, schedule.Chunk{Senders: c.senders, Edges: c.info.Edges, Bytes: uint64(c.size)})
	}
	return state, err
}

// step has the device work through the needed chunks, each in a slot that is free again
// once the device has forgotten it.
func (r *run) step(needed []int, free chan arena.Range) error {
	for l := range r.read(needed, takeFrom(free)) {
		if l.err != nil {
			return l.err
		}
		if err := r.pass(l, free); err != nil {
			return err
		}
	}
	return r.ctx.Err()
}

func takeFrom(free <-chan arena.Range) func(context.Context, int) (arena.Range, error) {
	return func(ctx context.Context, _ int) (arena.Range, error) {
		select {
		case slot := <-free:
			return slot, nil
		case <-ctx.Done():
			return arena.Range{}, ctx.Err()
		}
	}
}

// pass uploads, steps and evicts one chunk. It does not wait for the answers: the slot
// comes back by itself.
func (r *run) pass(l loaded, free chan<- arena.Range) error {
	number := uint32(l.chunk)
	slot := arena.Range{Offset: l.at.Offset, Length: r.fit.slots[0].Length}
	if err := r.talk.send(plugins.Command{Op: plugins.Upload, Chunk: number, At: l.at.Range}, exchange{}); err != nil {
		return err
	}
	if err := r.talk.send(plugins.Command{Op: plugins.Step, Chunk: number}, exchange{}); err != nil {
		return err
	}
	giveBack := exchange{done: func(plugins.Event) { free <- slot }}
	return r.talk.send(plugins.Command{Op: plugins.Evict, Chunk: number}, giveBack)
}
