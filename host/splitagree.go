package host

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/plugins"
)

// newSplit makes the run one of a core and a rest.
func (r *run) newSplit() (err error) {
	r.split = &split{run: r, rest: r.devices[0], dense: r.devices[1]}
	r.core = &r.split.report
	r.split.rule, err = core.ParseRule(r.req.Core)
	return err
}

// agree finds out how the devices work together, chooses the core and fits both parts into their budgets.
func (s *split) agree() error {
	if s.req.Schedule == scheduleWhole {
		return &ScheduleError{Schedule: s.req.Schedule, Algorithm: s.req.name(), Reason: "a core and a rest stay on their devices"}
	}
	if m := s.snap.Manifest(); s.rule.Kind == core.Rabbit && !s.communities() {
		return &RequestError{fmt.Sprintf("core %s: graph %s is not stored by communities, but in order %q: load it in order rabbit, or choose by degree", s.req.Core, m.Graph, m.Order.Taken)}
	}
	s.agreed = time.Now()
	s.maps.Store(s.rest.about.MapsFiles)
	if err := s.agreeOnWay(); err != nil {
		return err
	}
	if err := s.choose(); err != nil {
		return err
	}
	if len(s.set) == 0 {
		return s.undo()
	}
	s.kernel = s.rest.plan
	s.kernel.Kernel += "; core: " + s.dense.plan.Kernel
	if err := s.chooseAllChunks(); err != nil {
		return err
	}
	return s.fits()
}

// agreeOnWay has both devices settle their parts, where the program and both devices are so, or else go
// in step.
func (s *split) agreeOnWay() error {
	s.task.Settle = s.maySettle()
	err := s.compileBoth()
	settles := err == nil && s.rest.plan.Settles && s.dense.plan.Settles
	if s.task.Settle && !settles && (err == nil || plugins.KindOf(err) == plugins.KindUnsupported) {
		s.task.Settle = false
		err = s.compileBoth()
	}
	s.settling, s.report.Settled = s.task.Settle, s.task.Settle
	return err
}

// maySettle tells whether messages may arrive in any order and do nothing but improve the first column.
func (s *split) maySettle() bool {
	p := s.task.Program
	applies := slices.ContainsFunc(p.State, func(c algorithms.State) bool { return c.Apply.Source != "" })
	return s.cannot == nil && !s.req.Synchronous && !applies && !p.Exactly && p.Order == algorithms.Monotone
}

// compileBoth has the devices plan the task, as if the core were of one vertex.
func (s *split) compileBoth() error {
	if err := s.compileOne(s.rest); err != nil {
		return s.refused(err)
	}
	s.dense.linked = 1
	err := s.compileOne(s.dense)
	if plugins.KindOf(err) == plugins.KindBudget {
		return s.cannotShare("not even a core of one vertex fits " + s.dense.name + ": " + err.Error())
	}
	return err
}

// compileOne has a device plan the task for its part.
func (s *split) compileOne(d *device) error {
	d.layout = s.rest.layout // in step the state is the first device's alone
	if d == s.dense && s.task.Settle {
		d.layout.Columns = slices.Concat(s.rest.layout.Columns[:s.inputs()], s.own)
		d.layout.Active = s.ownActive
	}
	err := s.call(s.ctx, d, func(ctx context.Context) error { return s.compileOn(ctx, d, d.budget) })
	if err == nil && !d.plan.Parts {
		return s.cannotShare(d.name + " computes with all edges or none")
	}
	return err
}

// undo leaves everything to the first device, whose run is an ordinary one.
func (s *split) undo() error {
	s.dense.plugin.Close()
	s.devices, s.rest.several, s.report.Settled = s.devices[:1], false, false
	s.device = s.described()
	r := s.run
	r.split = nil
	return r.agree()
}

// chooseAllChunks takes the chunks that either of the devices wants.
func (s *split) chooseAllChunks() error {
	for _, d := range s.dense.plan.Directions {
		if !slices.Contains(s.kernel.Directions, d) {
			s.kernel.Directions = append(slices.Clip(s.kernel.Directions), d)
		}
	}
	return s.chooseChunks()
}

// wants tells whether a device's plan is for chunks such as this.
func (s *split) wants(d *device, c piece) bool {
	return !s.snap.Manifest().Directed || slices.Contains(d.plan.Directions, c.info.Direction)
}

// fits places the chunks, or refuses with a *BudgetError. What is cut off a chunk is not counted: should the second
// device die, it comes back.
func (s *split) fits() error {
	s.fit = fit{}
	for _, c := range s.chunks {
		if s.wants(s.rest, c) {
			s.fit.all += aligned(c.device)
		}
	}
	s.fit.minimum = s.kernel.Fixed + s.fit.all
	if s.budget < s.fit.minimum {
		e := s.tooSmall(s.fit.minimum)
		e.What = "its state beside all chunks, which stay on the device beside a core,"
		return e
	}
	s.placeAll()
	return nil
}
