package host

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/penstock-db/penstock/host/internal/checkpoint"
	"github.com/penstock-db/penstock/host/internal/choose"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/chain"
	"github.com/penstock-db/penstock/host/internal/execute/crew"
	"github.com/penstock-db/penstock/host/internal/execute/intervals"
	"github.com/penstock-db/penstock/host/internal/execute/nearest"
	"github.com/penstock-db/penstock/host/internal/execute/passes"
	"github.com/penstock-db/penstock/host/internal/execute/resident"
	"github.com/penstock-db/penstock/host/internal/execute/split"
	"github.com/penstock-db/penstock/host/internal/execute/streamed"
	"github.com/penstock-db/penstock/host/internal/execute/topological"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/open"
	"github.com/penstock-db/penstock/host/internal/partition"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/pool"
	"github.com/penstock-db/penstock/host/internal/result"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// attempt carries a run out once.
func (e *Engine) attempt(ctx context.Context, a attempt) (*Result, outcome, error) {
	c, err := plan.Bind(ctx, a.snap, a.req)
	out := outcome{title: c.Request.Title()}
	if err != nil {
		return nil, out, cause(ctx, err)
	}
	began := time.Now()
	out.chooser = e.chooser(c, a)
	if c.Request, out.choice, err = chooseDevice(ctx, c.Request, out.chooser); err != nil {
		return nil, out, cause(ctx, err)
	}
	choosing := time.Since(began)
	r, err := e.carryOut(ctx, a, c, &out)
	if err != nil {
		return nil, out, err
	}
	r.learn(ctx, a, out, choosing)
	return r.result, out, nil
}

// cause is the first failure of a run, of which err may be a mere consequence.
func cause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// chooser chooses a device for a computation, and knows what devices have taken for such.
func (e *Engine) chooser(c plan.Computation, a attempt) choose.Chooser {
	return choose.Chooser{
		Known: e.known(c, a.snap), Finder: e.finder(c.Request), Machine: e.machine, Failed: a.npuFailed,
		Warm:   func(spec launch.Spec) bool { return e.pool.Has(pool.KeyOf(a.snap.Manifest(), c.EdgeNames, spec)) },
		Trials: e.trials, Graphs: e.graphs, Notice: a.events.Noticed,
	}
}

// trials makes an engine that measures devices, and learns with this one.
func (e *Engine) trials() (choose.TrialRun, func()) {
	t := NewEngine(time.Minute)
	t.books = e.allBooks()
	run := func(ctx context.Context, snap *store.Snapshot, req Request, events Events) error {
		_, err := t.Run(ctx, snap, req, events)
		return err
	}
	return run, t.Close
}

// chooseDevice puts a device in the place of auto.
func chooseDevice(ctx context.Context, req Request, c choose.Chooser) (Request, *Choice, error) {
	if req.Device != plan.AutoDevice {
		return req, nil, nil
	}
	req.Device = plan.CPUDevice
	if c.Book == nil {
		return req, nil, nil
	}
	choice, err := c.Choose(ctx)
	if err == nil {
		req.Device = choice.Device
	}
	return req, choice, err
}

// done is a run on its way: what its steps have come to.
type done struct {
	opened  *open.Opened
	plan    *plan.Plan
	split   *partition.Split // nil: not asked for
	parts   *split.Executor  // that has executed the split; nil: each device had all edges
	streams streams          // nil: not opened yet
	result  *Result
	scratch *arena.Arena    // of state that is cut into intervals; nil: it is not
	reads   meter.DiskReads // of the host, before the devices were opened, and of these, before they were given anything
}

// carryOut opens the devices and has them compute. Whatever comes of it, what was opened is closed.
func (e *Engine) carryOut(parent context.Context, a attempt, c plan.Computation, out *outcome) (r done, err error) {
	ctx, fail := context.WithCancelCause(parent)
	rec := meter.New(c.Request.LinkBandwidth, a.events.Spanned)
	r.reads = meter.ReadsOf(os.Getpid())
	r.opened, err = open.Open(ctx, fail, open.Input{
		Snap: a.snap, Of: c, Chooser: out.chooser, Linked: &e.linked, Pool: e.pool, Machine: e.machine, Memory: e.memory,
		Rec: rec, Events: a.events, Unsettled: a.unsettled, Sorted: a.sorted,
	})
	defer func() { r.close(parent, fail) }()
	if err == nil {
		err = r.compute(ctx, fail, a, c, rec, out)
	}
	if err != nil {
		return r, cause(ctx, err)
	}
	return r, nil
}

// compute agrees with the devices on a plan, executes it and collects the result.
func (r *done) compute(ctx context.Context, fail context.CancelCauseFunc, a attempt, c plan.Computation,
	rec *meter.Recorder, out *outcome) (err error) {
	if r.plan, r.split, err = r.opened.Agree(c); err != nil {
		return err
	}
	maps.Copy(r.reads, meter.ReadsOf(r.opened.Group.PIDs()...))
	out.settling, out.sorted = r.plan.Settling || r.plan.Intervals.Settling(), r.plan.Topological
	if err := admit(r.plan, r.opened, a.events); err != nil {
		return err
	}
	env, err := newEnv(r, a, rec)
	if err != nil {
		return err
	}
	if err := r.executor(ctx, fail, env).Execute(ctx); err != nil {
		return err
	}
	if err := r.streams.Finish(); err != nil {
		return err
	}
	r.opened.Device.Cache.DiscardSlots(r.plan)
	r.result, err = r.collect(ctx, env, a, out.choice)
	return err
}

// close closes what was opened. The results, if there are any, keep what they take of the caller's account.
func (r *done) close(parent context.Context, fail context.CancelCauseFunc) {
	r.opened.Close(fail, r.plan, r.streams)
	if r.scratch != nil {
		r.scratch.Close()
	}
	held := r.opened.LetGo(parent, r.result != nil)
	if r.result != nil {
		r.result.Held = held
	}
}

// admit refuses a plan that there is no memory for, or nothing to account for, and says what the run will take.
func admit(p *plan.Plan, o *open.Opened, events Events) error {
	if err := p.CheckAccounting(); err != nil {
		return err
	}
	if err := o.HoldsFor(p); err != nil {
		return err
	}
	if free, err := pages.Available(); err == nil {
		if o.Warm {
			free += o.Device.Bytes
		}
		notice, err := p.CheckUnbounded(o.Group.Fixed(), free)
		if err != nil {
			return err
		}
		if notice != nil {
			events.Noticed(notice)
		}
	}
	events.Planned(p.Needs())
	return nil
}

// newEnv is what executors work with.
func newEnv(r *done, a attempt, rec *meter.Recorder) (*execute.Env, error) {
	p, cache := r.plan, r.opened.Device.Cache
	var err error
	if p.Intervals != nil {
		if r.scratch, err = arena.CreateOnDisk("", p.Intervals.Scratch); err != nil {
			return nil, plan.ScratchFull(p, err, 0)
		}
	}
	env := &execute.Env{
		Plan: p, Snap: a.snap, Supply: r.opened.Supply(p), Rec: rec, Events: a.events,
		Progress: execute.NewProgress(&rec.Meter, p.Devices, a.events), Scratch: r.scratch,
	}
	if !p.Request.Resume {
		return env, nil
	}
	if refusal := checkpoint.Refusal(p); refusal != "" {
		a.events.Noticed(errors.New(refusal))
		return env, nil
	}
	env.Keeper, err = checkpoint.Open(p, r.opened.Group.Digest, cache.Arena, &rec.Trace, a.events)
	return env, err
}

// streams are those of commands to the devices.
type streams interface {
	open.Streams
	Finish() error // there are no more commands
}

// executor is the one that the plan asks for. The streams that it talks over are open.
func (r *done) executor(ctx context.Context, fail context.CancelCauseFunc, env *execute.Env) execute.Executor {
	if r.plan.Core != nil {
		r.parts = split.New(ctx, fail, env, r.opened.Group, r.split)
		r.streams = r.parts
		return r.parts
	}
	if r.opened.Group.Crew() {
		c := crew.New(ctx, fail, r.plan, r.opened.Group, env.Rec, env.Events)
		env.Device, r.streams = c, c
		return resident.New(env)
	}
	of := chain.Config{Group: r.opened.Group, Fail: fail, Plan: r.plan, Memory: env.Arena(), Rec: env.Rec,
		Events: env.Events}
	if r.plan.Intervals != nil {
		each := chain.NewApart(ctx, of)
		r.streams = each
		return intervals.New(env, each.Devices())
	}
	c := chain.New(ctx, of)
	env.Device, env.Supply.Divided, env.Shares, r.streams = c, c.Keeps, c.Shares(), c
	first := slices.IndexFunc(executors, func(x executor) bool { return x.suits(env) })
	return executors[first].of(env)
}

// executor is a way to carry out a plan on one device, or a chain of them.
type executor struct {
	suits func(*execute.Env) bool
	of    func(*execute.Env) execute.Executor
}

// executors are asked in this order. The first that suits carries out the plan; streamed suits every plan.
var executors = []executor{
	{resident.Suits, resident.New},
	{passes.Suits, passes.New},
	{nearest.Suits, nearest.New},
	{topological.Suits, topological.New},
	{streamed.Suits, streamed.New},
}

// collect copies the results and reports. State that was kept is not needed any more.
func (r *done) collect(ctx context.Context, env *execute.Env, a attempt, choice *Choice) (*Result, error) {
	columns, err := result.Collect(r.plan, env.State(), env.Progress.Final)
	if err != nil {
		return nil, result.WithCycle(ctx, err, env.Progress.Final.Cycle, a.snap)
	}
	rows, err := result.CollectRows(r.plan, env.State())
	if err != nil {
		return nil, err
	}
	d := result.Done{
		Plan: r.plan, Devices: r.opened.Group.Devices, Rec: env.Rec, Progress: env.Progress, Started: a.started,
		InFiles: env.Supply.Cache.FileBytes(r.plan.Chunks), Disk: r.reads.Since(), Choice: choice,
	}
	if r.split != nil {
		d.Core = &r.split.Report
	}
	report := result.Report(d)
	env.Keeper.Remove()
	return &Result{Columns: columns, Rows: rows, Shape: r.plan.Shape, Report: report}, nil
}

// learn takes note of what the run took to its very end, if it may be chosen between devices.
func (r done) learn(ctx context.Context, a attempt, out outcome, choosing time.Duration) {
	var err error
	switch first := r.opened.Group.Devices[0]; {
	case r.parts != nil:
		err = r.split.Learn(ctx, r.parts.Sending)
	case r.split != nil || r.result.Report.ResumedFrom > 0 || a.npuFailed != "" || !choose.Learns(r.plan, first.Spec):
	case out.chooser.Book == nil || out.choice == nil && choose.BeyondMatrices(r.plan):
	default:
		err = out.chooser.Learn(ctx, choose.Taken{
			Spec: first.Spec, Lanes: first.About.Lanes, Whole: time.Since(a.started) - choosing,
			Launch: r.opened.Group.Launching,
			Warm:   r.opened.Warm, Report: r.result.Report,
		})
	}
	if err != nil {
		a.events.Noticed(err)
	}
}
