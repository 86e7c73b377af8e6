package npu

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
	"github.com/penstock-db/penstock/plugins/npu/internal/engine"
	"github.com/penstock-db/penstock/plugins/npu/internal/matrix"
	"github.com/penstock-db/penstock/plugins/npu/internal/network"
)

// maxLanes bounds what a session does at once: beyond it a step takes as much longer as there are more lanes.
const maxLanes = 256

// session is one run: what the kit's session needs to know of the device, and the matrix that passes from one
// session to the next.
type session struct {
	plugins.Session
	device  *device
	job     plugins.Job
	program *engine.Program
	earlier *matrix.Legacy // of the session before, until a program takes it over; nil: nothing
	network networkTask    // nil: the task is another
}

// open begins a session.
func (d *device) open(job plugins.Job) (plugins.Session, error) {
	s := &session{device: d, job: job}
	opened, err := kit.Open(kit.Setup{Device: deviceName, Job: job, Lanes: maxLanes, Known: &d.known, Compile: s.compile,
		Close: s.leave})
	if err != nil {
		return nil, err
	}
	s.Session, s.earlier = opened, d.estate.Take(job.Arena)
	return s, nil
}

// compile makes a program ready. It says which matrix would fit where this one does not.
func (s *session) compile(_ context.Context, task plugins.Task, budget *kit.Budget) (kit.Compiled, error) {
	switch {
	case task.Network != nil:
		return s.compileNetwork(task, budget)
	case task.Program == nil:
		return kit.Compiled{}, plugins.Errorf(plugins.KindUnsupported,
			"procedure %q: this device runs vertex programs and networks alone; compute it on the device cpu", task.Procedure)
	}
	on := matrix.Runtime{Library: s.device.library, Options: s.device.settings(), Threads: s.job.Threads,
		Paper: s.device.options.Paper}
	p, err := engine.New(on, budget, s.job, task)
	if err != nil {
		return kit.Compiled{}, err
	}
	plan, err := p.Plan(s.job.Graph, task.Layout)
	return kit.Compiled{Plan: plan, Program: p, Allocate: func(plan *plugins.Plan) { s.take(p, plan) }}, err
}

// networkTask is a network of which a session computes passes, or halves of their stages.
type networkTask interface {
	kit.NetworkRunner
	EdgeColumns() []string
	Close()
}

// compileNetwork makes a network ready.
func (s *session) compileNetwork(task plugins.Task, budget *kit.Budget) (kit.Compiled, error) {
	on := network.Runtime{Library: s.device.library, Options: s.device.settings(), Scratch: s.device.options.Scratch}
	var t networkTask
	var plan plugins.Plan
	var err error
	switch {
	case task.Network.Halves != nil:
		t, plan, err = network.NewHalvesTask(on, s.job, task, budget)
	case task.Network.Grid != nil:
		t, plan, err = network.NewGridTask(on, s.job, task, budget)
	default:
		t, plan, err = network.NewTask(on, s.job, task, budget)
	}
	if err != nil {
		return kit.Compiled{}, err
	}
	if s.network != nil {
		s.network.Close()
	}
	s.network = t
	return kit.Compiled{Plan: plan, Program: t, EdgeColumns: t.EdgeColumns()}, nil
}

// take has a program take over the matrix of an earlier session, and make what the plan counts.
func (s *session) take(p *engine.Program, plan *plugins.Plan) {
	more := p.Inherit(s.earlier)
	s.program, s.earlier = p, nil
	plan.Fixed, plan.Kept = plan.Fixed+more, plan.Kept+more
	p.Allocate()
}

// leave leaves the next session the matrix of this one, or what this one has not touched.
func (s *session) leave(failed bool) {
	if s.network != nil {
		s.network.Close()
	}
	l := s.earlier
	if s.program != nil {
		l = s.program.Leave(s.job.Arena, failed)
	}
	if s.earlier = nil; l != nil {
		s.device.estate.Put(l)
	}
}
