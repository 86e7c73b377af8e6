// Package streamed executes a plan by which chunks come again in every iteration:
//
//	state of the run ──schedule──▶ loads ──pass──▶ iteration ──▶ state of the run …
//
// A pass sends the loads and has the device work with them. There are three, of which the plan has chosen one: stepping
// sends shipments through slots and ends with Apply; settling brings each shipment to local convergence instead; queue
// keeps chunks of high value (package queue). Chunks that stay on the device are not sent again.
package streamed

import (
	"context"

	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/gaining"
	"github.com/penstock-db/penstock/host/internal/execute/queue"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Suits is true: every plan can be carried out iteration by iteration.
func Suits(*execute.Env) bool { return true }

// New executes the plan of env. If all chunks are resident, they are uploaded first, and every iteration is a command
// of its own.
func New(env *execute.Env) execute.Executor { return executor{env} }

type executor struct{ *execute.Env }

// pass is an iteration with these loads.
type pass func(ctx context.Context, loads []schedule.Load) (plugins.Iteration, error)

// Execute sends what the schedule chooses, iteration by iteration.
func (e executor) Execute(ctx context.Context) error {
	defer e.Supply.Release()
	policy, err := e.prepare(ctx)
	if err != nil {
		return err
	}
	loader, err := shipment.NewLoader(ctx, e.Env)
	if err != nil {
		return err
	}
	if err := e.Init(); err != nil {
		return err
	}
	if v, err := gaining.Find(ctx, e.Env); v == gaining.Found || err != nil {
		return err
	}
	w := newWatch(loader)
	if err := w.describe(ctx); err != nil {
		return err
	}
	return e.iterate(ctx, policy, w, e.choose(w))
}

// prepare is the schedule: of a resident run one that goes through all chunks, which are uploaded.
func (e executor) prepare(ctx context.Context) (schedule.Schedule, error) {
	if !e.Plan.Fit.Resident {
		return e.Plan.Schedule, nil
	}
	if err := e.Upload(ctx); err != nil {
		return schedule.Schedule{}, err
	}
	return schedule.Parse("whole")
}

// choose is how an iteration is done.
func (e executor) choose(w *watch) pass {
	switch {
	case e.Plan.Streaming.Queue:
		return queue.New(w.Loader).Pass
	case e.Plan.Settling:
		return settling{w}.pass
	}
	return stepping{w}.pass
}

func (e executor) iterate(ctx context.Context, policy schedule.Schedule, w *watch, pass pass) error {
	p, uses := e.Progress, e.account()
	others, err := w.simulate(policy)
	if err != nil {
		return err
	}
	p.StartLap()
	for !p.Final.Converged && p.Final.Number < e.Plan.Bound() {
		w.look()
		loads := policy.Plan(w.state)
		others.Iterate(w.state)
		p.Because(policy.Explain(w.state, loads))
		if len(loads) == 0 && e.Plan.Settling {
			p.Final.Active, p.Final.Converged = 0, true // active vertices have no edges
			break
		}
		if uses != nil {
			uses.Begin(w.state.Active, w.state.Demand)
		}
		it, err := pass(ctx, loads)
		if err != nil {
			return err
		}
		p.End(it, len(loads))
		e.Keeper.Keep(p.Final)
	}
	w.report(uses)
	p.Simulated = others.Costs()
	return nil
}
