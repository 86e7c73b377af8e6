package host

import (
	"context"

	"github.com/penstock-db/penstock/host/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// streamed passes chunks through the slots, iteration by iteration, but for those that are kept.
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
	r.discardSlots()
	return nil
}

// discardSlots gives their memory back before the results take theirs.
func (r *run) discardSlots() {
	for _, slot := range r.fit.slots {
		r.arena.Discard(slot)
	}
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

// step has the device work through the needed chunks: those that are there at once, which
// gives the others time to be read.
func (r *run) step(needed []int, free chan arena.Range) error {
	var missing []int
	for _, i := range needed {
		if !r.chunks[i].stays {
			missing = append(missing, i)
		} else if err := r.talk.send(plugins.Command{Op: plugins.Step, Chunk: uint32(i)}, exchange{}); err != nil {
			return err
		}
	}
	for l := range r.read(missing, r.takeFrom(free)) {
		if l.err != nil {
			return l.err
		}
		if err := r.pass(l, free); err != nil {
			return err
		}
	}
	return r.ctx.Err()
}

// takeFrom gives a chunk that is kept its own place, and any other a slot.
func (r *run) takeFrom(free <-chan arena.Range) func(context.Context, int) (arena.Range, error) {
	return func(ctx context.Context, i int) (arena.Range, error) {
		if i < r.fit.kept {
			return r.chunks[i].at, nil
		}
		select {
		case slot := <-free:
			return slot, nil
		case <-ctx.Done():
			return arena.Range{}, ctx.Err()
		}
	}
}

// pass uploads and steps one chunk, and evicts it unless it is kept. It does not wait for
// the answers: a slot comes back by itself, once the device has forgotten the chunk.
func (r *run) pass(l loaded, free chan<- arena.Range) error {
	number := uint32(l.chunk)
	if err := r.talk.send(plugins.Command{Op: plugins.Upload, Chunk: number, At: l.at.Range}, exchange{}); err != nil {
		return err
	}
	if err := r.talk.send(plugins.Command{Op: plugins.Step, Chunk: number}, exchange{}); err != nil {
		return err
	}
	if l.chunk < r.fit.kept {
		r.chunks[l.chunk].stays = true
		return nil
	}
	slot := arena.Range{Offset: l.at.Offset, Length: r.fit.slots[0].Length}
	giveBack := exchange{done: func(plugins.Event) { free <- slot }}
	return r.talk.send(plugins.Command{Op: plugins.Evict, Chunk: number}, giveBack)
}
