package host

import (
	"context"

	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/plugins"
)

// settle has each device go on by itself, round by round, and take in between what the other has found so far, until neither has anything
// to do. Rounds without a look at the other are more work: what they send may be outdone by what is there already. Where values only improve the result is the same, in whatever order and however late they learn of each
// other: Bertsekas, "Distributed asynchronous computation of fixed points", Mathematical Programming 27, 1983.
func (s *split) settle() error {
	lap := s.newLap()
	// Before that its column is no state, and must not be looked at.
	if _, err := s.dense.talk.do(plugins.Command{Op: plugins.Init}, nil); err != nil {
		return s.settleAlone(err, &lap)
	}
	s.meeting.begin(s.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := s.turns(1, func(plugins.Iteration) {}); err != nil {
			s.meeting.leave(err)
		}
	}()
	err := s.turns(0, func(it plugins.Iteration) { s.iterated(&lap, it, len(s.rest.has)) })
	if err != nil {
		s.fail(err)
	}
	<-ended
	s.report.Merges, s.report.Useful = s.meeting.looks, s.meeting.news
	if absent := s.meeting.left(); err == nil && absent != nil {
		return s.settleAlone(absent, &lap)
	}
	return err
}

// turns has a device take a round and then look at the other's column, until neither has anything to do or the other has left.
func (s *split) turns(who int, ended func(plugins.Iteration)) error {
	own, other := s.both()[who], s.both()[1-who]
	for {
		it, err := s.settleOn(own, 1)
		if err != nil {
			return err
		}
		s.meeting.moved(who)
		ended(it)
		for more := false; !more; {
			seen, before := s.meeting.turn(1-who), it.Active
			if it.Active, err = s.look(own, other); err != nil {
				return err
			}
			if more = it.Active > 0; !s.meeting.looked(who, seen, more, it.Active > before) {
				return context.Cause(s.ctx)
			}
		}
	}
}

func (s *split) both() [2]*device { return [2]*device{s.rest, s.dense} }

// settleOn has a device take so many rounds; 0: until it converges.
func (s *split) settleOn(d *device, rounds uint32) (plugins.Iteration, error) {
	e, err := d.talk.do(plugins.Command{Op: plugins.Settle, At: s.everyone, Rounds: rounds}, nil)
	if err != nil {
		return plugins.Iteration{}, err
	}
	return *e.Iteration, nil
}

// look has a device take what is better in the other's first column, and tells how many then have something to send.
func (s *split) look(d, other *device) (active uint64, err error) {
	at := other.layout.Columns[s.inputs()].Range
	e, err := d.talk.do(plugins.Command{Op: plugins.Deliver, At: at, Among: s.among}, nil)
	if err != nil {
		return 0, err
	}
	if e.Iteration == nil {
		return 0, lie(d.name, "it does not say who is active once it has looked at another's state")
	}
	return e.Iteration.Active, nil
}

// settleAlone has the first device go on with all edges. Along those that it had not, nobody has sent yet: all of the core who have
// something to tell become active.
func (s *split) settleAlone(absent error, l *lap) error {
	if err := s.goOnAlone(absent); err != nil {
		return err
	}
	it, err := s.awaken()
	if err != nil {
		return err
	}
	if err := s.restore(it); err != nil {
		return err
	}
	if it, err = s.settleOn(s.rest, 0); err == nil {
		s.iterated(l, it, len(s.rest.has))
	}
	return err
}

// awaken puts those of the core into the first device's active set whose value is not that of who has received nothing, and has never been
// active.
func (s *split) awaken() (plugins.Iteration, error) {
	it := s.final
	active, err := s.arena.Uint64s(s.rest.layout.Active)
	if err != nil {
		return it, err
	}
	first, reduce := s.rest.layout.Columns[s.inputs()], s.task.Program.Reduce
	values, err := s.copyColumn(first)
	if err != nil {
		return it, err
	}
	values.Column = first.Column
	for v := range s.set.Members() {
		if !values.IsIdentity(reduce, int(v)) {
			core.Set(active).Add(v)
		}
	}
	it.Converged, it.Active = false, core.Set(active).Count()
	return it, nil
}
