package host

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// streamed passes through the slots what the schedule sends, iteration by iteration, but for
// chunks that are kept on the device.
func (r *run) streamed() error {
	defer r.releaseViews()
	if err := r.watchActive(); err != nil {
		return err
	}
	if err := r.init(); err != nil {
		return err
	}
	r.free = make(chan *slot, len(r.fit.slots))
	for i := range r.fit.slots {
		r.free <- &r.fit.slots[i]
	}
	state := r.scheduleState()
	if err := r.describeGrid(&state); err != nil {
		return err
	}
	lap, pass := r.newLap(), r.pass
	if r.keeps() {
		pass = r.newEngines().pass
	}
	for !r.final.Converged && r.final.Number < r.bound() {
		r.look(&state)
		r.profile.tell(&state)
		loads := r.policy.Plan(state)
		lap.reason = r.policy.Explain(state, loads)
		if len(loads) == 0 && r.settling {
			r.final.Active, r.final.Converged = 0, true // who is active has no edges
			break
		}
		if r.accounting != nil {
			r.accounting.Begin(state.Active, state.Demand)
		}
		it, err := pass(loads)
		if err != nil {
			return err
		}
		r.iterated(&lap, it, len(loads))
		r.keep()
	}
	r.reportUses()
	return nil
}

// discardSlots gives their memory back, before the results take memory. Only when the device
// has answered everything may it: chunks that came last, and in vain, may still be looked at.
func (r *run) discardSlots() {
	for _, slot := range slices.Concat(r.fit.slots, r.fit.tiles) {
		r.arena.Discard(slot.at)
	}
}

func (r *run) bound() int { return r.task.Program.Bound(r.snap.Manifest().Vertices) }

// pass sends the loads and has the device work with them: an iteration. What is there
// already comes first, which gives the rest time to be read.
func (r *run) pass(loads []schedule.Load) (plugins.Iteration, error) {
	last := r.final
	r.begin(last.Number + 1)
	r.profile = profile{began: time.Now(), copies: r.device.LinkBandwidth > 0}
	var missing []schedule.Load
	for _, l := range loads {
		if !r.chunks[l.Chunk].stays {
			missing = append(missing, l)
		} else if err := r.talk.send(plugins.Command{Op: plugins.Step, Chunk: uint32(l.Chunk)}, exchange{}); err != nil {
			return last, err
		}
	}
	tasks := func(ctx context.Context) iter.Seq[*shipment] { return r.pack(ctx, missing) }
	for s := range inOrder(r.ctx, tasks, r.fill) {
		if s.err != nil {
			return last, s.err
		}
		if err := r.ship(s, &last); err != nil {
			return last, err
		}
	}
	if r.settling {
		err := r.settled()
		last.Number = r.final.Number + 1
		return last, err
	}
	if err := r.ctx.Err(); err != nil {
		return last, err
	}
	e, err := r.talk.do(plugins.Command{Op: plugins.Apply}, nil)
	if err != nil {
		return last, err
	}
	return *e.Iteration, nil
}

// ship has the device work with a shipment and then forget it. It does not wait for the
// answers: the slot comes back by itself.
func (r *run) ship(s *shipment, last *plugins.Iteration) error {
	if r.policy.Needs.Grid {
		r.profile.shipped = append(r.profile.shipped, s)
	}
	var commands []plugins.Command
	for i, upload := range s.uploads {
		r.give(s, i)
		commands = append(commands, upload)
	}
	if r.settling {
		commands = append(commands, plugins.Command{Op: plugins.Settle, At: s.slot.set, Rounds: uint32(s.rounds)})
	}
	for _, upload := range s.uploads {
		if !r.settling {
			commands = append(commands, plugins.Command{Op: plugins.Step, Chunk: upload.Chunk})
		}
		if s.slot == nil {
			r.chunks[upload.Chunk].stays = true
		} else {
			commands = append(commands, plugins.Command{Op: plugins.Evict, Chunk: upload.Chunk})
		}
	}
	for i, command := range commands {
		x := exchange{done: func(e plugins.Event) { r.profile.worked(s, e) }}
		if command.Op == plugins.Settle {
			x.iterated = func(e plugins.Event) { *last = *e.Iteration }
		}
		if i == len(commands)-1 && s.slot != nil {
			x.done = func(e plugins.Event) {
				r.profile.worked(s, e)
				r.free <- s.slot
			}
		}
		if err := r.talk.send(command, x); err != nil {
			return err
		}
	}
	return nil
}

// settled waits until every slot is free: nothing is under way any more.
func (r *run) settled() error {
	for range r.fit.slots {
		select {
		case s := <-r.free:
			defer func() { r.free <- s }()
		case <-r.ctx.Done():
			return context.Cause(r.ctx)
		}
	}
	return nil
}

// transfer counts what the device is given, and has a simulated link carry it.
func (r *run) transfer(bytes uint64) time.Duration {
	r.meter.sent(bytes, 0)
	return r.carry(bytes)
}

// carry has a simulated link carry something.
func (r *run) carry(bytes uint64) time.Duration {
	began, took := r.link.carry(r.ctx, bytes)
	r.meter.sent(0, took)
	if took > 0 {
		r.span(Span{Stage: "transfer, simulated", Start: began, Took: took, Bytes: bytes})
	}
	return took
}
