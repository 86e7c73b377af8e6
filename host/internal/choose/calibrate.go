package choose

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/registry"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// Graphs are the graphs by which devices are measured: small ones, sparse and dense, of both kinds, so that what goes
// by vertices, by edges and by pairs of vertices can be told apart. Largest last: a device that takes too long is
// spared them.
var Graphs = []graph500.Options{
	{Kind: graph500.Uniform, Scale: 10, EdgeFactor: 8},
	{Kind: graph500.RMAT, Scale: 10, EdgeFactor: 128},
	{Kind: graph500.RMAT, Scale: 12, EdgeFactor: 16},
	{Kind: graph500.Uniform, Scale: 12, EdgeFactor: 256},
	{Kind: graph500.Uniform, Scale: 13, EdgeFactor: 32},
}

const (
	trialRounds  = 16              // at most, where rounds may be bounded without another way of computing
	trialSources = 16              // at once, on devices with lanes
	trialTime    = 2 * time.Second // for a device on one graph; if it takes longer it is spared the larger ones
	trialLimit   = 4 * trialTime   // for one run; a device that takes longer is none to choose
	untried      = 2 * trialTime   // about what all trials take, before the first
)

// Trials makes an engine for trials: how it runs, and how it ends.
type Trials func() (run TrialRun, end func())

// TrialRun runs a request on a trial.
type TrialRun func(ctx context.Context, snap *store.Snapshot, req plan.Request, events report.Events) error

// Calibrate has programs of this kind run on both devices, unless they have before. It tells why there can be no
// choice. That takes seconds: see premature.
func (c Chooser) Calibrate(ctx context.Context) (refused string, err error) {
	if c.knowsBoth() {
		return "", nil
	}
	p, refused := trialProgram(*c.Of.Task.Program)
	if refused != "" {
		return refused, nil
	}
	c.Notice(fmt.Errorf("programs like %s are measured on the CPU and npu, once, to choose between them", p.Name))
	dir, err := os.MkdirTemp("", "penstock-trials-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	db, err := store.Open(dir, store.Options{Create: true})
	if err != nil {
		return "", err
	}
	defer db.Close()
	run, end := c.Trials()
	defer end()
	began := time.Now()
	if refused, err = c.tryAll(ctx, run, db, p); err != nil {
		return refused, err
	}
	spec, err := c.Finder.Spec(registry.NPU)
	if err == nil {
		c.Book.Tried(c.Key(spec), time.Since(began).Seconds())
	}
	return refused, err
}

// premature says why programs of this kind are not measured yet: what runs of theirs have taken on the CPU, and this
// one is expected to take, is less than measuring takes. So whatever comes, no more than twice the least is spent
// (Karlin, Manasse, Rudolph and Sleator, "Competitive snoopy caching", 1988: to rent or to buy).
func (c Chooser) premature(w core.Work) (why string, err error) {
	if c.knowsBoth() {
		return "", nil
	}
	cpu, err := c.Finder.Spec(plan.CPUDevice)
	if err != nil {
		return "", err
	}
	npu, err := c.Finder.Spec(registry.NPU)
	if err != nil {
		return "", err
	}
	spent, measuring := c.Book.Spent(c.Key(cpu), c.Kind()), cmp.Or(c.Book.Trials(c.Key(npu)), untried.Seconds())
	f, known := c.Forecast(cpu, w)
	if w.Rounds = f.Rounds; known {
		w.Warm = c.Warm(cpu)
		spent += f.Seconds(w)
	}
	switch {
	case spent >= measuring:
		return "", nil
	case spent == 0:
		return fmt.Sprintf("not measured: no such program has run yet, and to measure both takes %.2g s", measuring), nil
	}
	return fmt.Sprintf("not measured: with this run, such programs take some %.2g s on the CPU so far, and to measure both takes %.2g s",
		spent, measuring), nil
}

// knowsBoth tells whether there is nothing to be found out.
func (c Chooser) knowsBoth() bool {
	for _, device := range []string{plan.CPUDevice, registry.NPU} {
		spec, err := c.Finder.Spec(device)
		key := c.Key(spec)
		if err != nil || !c.Book.Knows(key, c.Kind()) && c.Book.Refused(key, c.Kind()) == "" {
			return false
		}
	}
	return true
}

// trialProgram is p as it runs on graphs that are not its user's, or why it cannot. Where it need not settle it
// is stopped; the least of what grows settles on trials, whose weights are above 0, and is computed in
// other ways if it is not to be stopped.
func trialProgram(p algorithms.Program) (_ *algorithms.Program, refused string) {
	if len(p.EdgeColumns) > 1 {
		return nil, "it reads several edge properties, which no trial has"
	}
	if p.Norm != algorithms.NoNorm || p.Exactly || p.Diverged != "" && p.Reduce != algorithms.Min {
		p.MaxIterations, p.Exactly = trialRounds, false
	}
	p.Diverged = ""
	return &p, ""
}

// tryAll runs p on each trial and device, and tells what came in between.
func (c Chooser) tryAll(ctx context.Context, run TrialRun, db *store.DB, p *algorithms.Program) (refused string,
	err error) {
	slow := map[string]bool{}
	for i, trial := range c.Graphs {
		snap, err := loadTrial(ctx, db, fmt.Sprintf("trial-%d", i), trial, p.EdgeColumns)
		if err != nil {
			return "", err
		}
		defer snap.Close()
		for _, device := range []string{plan.CPUDevice, registry.NPU} {
			if slow[device] {
				continue
			}
			began := time.Now()
			if err := c.try(ctx, run, snap, p, device); errors.As(err, new(*tooSlow)) && i > 0 {
				slow[device] = true // what smaller graphs took says enough
			} else if err != nil {
				return c.failed(ctx, device, err)
			}
			slow[device] = slow[device] || time.Since(began) > trialTime
		}
	}
	return "", nil
}

// failed tells why a device could not run a trial. What it will never do is noted.
func (c Chooser) failed(ctx context.Context, device string, err error) (refused string, _ error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if plugins.KindOf(err) == plugins.KindUnsupported || errors.As(err, new(*tooSlow)) {
		if missing := c.Refuse(device, err.Error()); missing != nil {
			return "", missing
		}
	}
	return err.Error(), nil
}

// try runs p on a device, which then is warm, and twice on that; where it has lanes, then from several sources.
func (c Chooser) try(ctx context.Context, run TrialRun, snap *store.Snapshot, p *algorithms.Program,
	device string) error {
	of := c.Of.Request
	req := plan.Request{Program: p, Device: device, Threads: of.Threads, PluginDir: of.PluginDir, Timeout: of.Timeout}
	sourced := slices.ContainsFunc(p.Constants, plan.IsSource)
	lanes := 0
	events := report.Events{Launched: func(l report.Launch) { lanes = l.Device.Lanes }}
	counts := []int{1, 1, 1}
	began := time.Now()
	for n := 0; n < len(counts) && time.Since(began) < trialTime; n++ {
		if sourced {
			var err error
			if req.Sources, err = trialVertices(ctx, snap, counts[n]); err != nil {
				return err
			}
		}
		if err := tryOnce(ctx, run, snap, req, events); err != nil {
			return err
		}
		if sourced && lanes > 1 && n == 2 {
			counts = append(counts, min(trialSources, lanes))
		}
	}
	return nil
}

// tryOnce is a run that is given up when it takes too long: *tooSlow.
func tryOnce(ctx context.Context, run TrialRun, snap *store.Snapshot, req plan.Request, events report.Events) error {
	slow := &tooSlow{snap.Manifest().Vertices}
	ctx, stop := context.WithTimeoutCause(ctx, trialLimit, slow)
	defer stop()
	err := run(ctx, snap, req, events)
	if err != nil && errors.Is(context.Cause(ctx), slow) {
		return slow
	}
	return err
}

// tooSlow is why a device is not to be chosen.
type tooSlow struct{ vertices uint64 }

func (t *tooSlow) Error() string {
	return fmt.Sprintf("it took more than %v on a graph of %d vertices", trialLimit, t.vertices)
}

// trialVertices names the n vertices of highest degree, which come first in a trial.
func trialVertices(ctx context.Context, snap *store.Snapshot, n int) (names []string, err error) {
	ids, err := snap.UserIDs(ctx, 0, uint64(n))
	for i := range n {
		names = append(names, ids.Text(i))
	}
	return names, err
}

// loadTrial stores a trial, with the edge property that a program reads, if it reads one.
func loadTrial(ctx context.Context, db *store.DB, name string, trial graph500.Options,
	columns []string) (*store.Snapshot, error) {
	trial.Seed, trial.Weights = 1, len(columns) > 0
	source, err := graph500.New(trial)
	if err != nil {
		return nil, err
	}
	defer source.Close()
	if len(columns) > 0 && columns[0] != formats.WeightColumn {
		if source, err = formats.RenameEdgeColumn(source, formats.WeightColumn, columns[0]); err != nil {
			return nil, err
		}
	}
	if _, err := db.Load(ctx, name, source, store.LoadOptions{Order: store.OrderDegree}); err != nil {
		return nil, err
	}
	return db.Snapshot(name)
}
