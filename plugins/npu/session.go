package npu

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// session is one run: what the kit's session needs to know of the device, and the matrix that passes from one
// session to the next.
type session struct {
	*kit.Session
	device  *device
	job     plugins.Job
	budget  *kit.Budget
	program *program
	earlier *legacy // of the session before, until a program takes it over; nil: nothing
}

// open begins a session.
func (d *device) open(job plugins.Job) (plugins.Session, error) {
	s := &session{device: d, job: job}
	opened, err := kit.Open(kit.Setup{Device: deviceName, Job: job, Lanes: maxLanes, Known: &d.known, Compile: s.compile, Close: s.leave})
	if err != nil {
		return nil, err
	}
	s.Session, s.earlier = opened, d.estate.take(job.Arena)
	return s, nil
}

// compile makes a program ready. It says which matrix would fit where this one does not.
func (s *session) compile(_ context.Context, task plugins.Task, budget *kit.Budget) (kit.Compiled, error) {
	if task.Program == nil {
		return kit.Compiled{}, plugins.Errorf(plugins.KindUnsupported, "procedure %q: this device runs vertex programs alone; compute it on the device cpu", task.Procedure)
	}
	p, err := compile(s.device, budget, s.job, task)
	if err != nil {
		return kit.Compiled{}, err
	}
	plan := p.plan(s.job.Graph, task.Layout)
	allocate := func(plan *plugins.Plan) { s.take(p, budget, plan) }
	return kit.Compiled{Plan: plan, Program: p, Allocate: allocate}, p.fits(plan.Fixed)
}

// take has a program take over the matrix of an earlier session, and make what the plan counts.
func (s *session) take(p *program, budget *kit.Budget, plan *plugins.Plan) {
	s.program, s.budget = p, budget
	more := s.inherit()
	plan.Fixed, plan.Kept = plan.Fixed+more, plan.Kept+more
	p.allocate()
}
