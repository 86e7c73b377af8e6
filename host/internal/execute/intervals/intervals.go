// Package intervals executes a plan by which the state of vertices does not fit a device. The vertices are cut into
// intervals, and a device has one at a time, which receives, with a cell of the edges that lead there (Ma et al.,
// "NeuGraph: Parallel Deep Neural Network Computation on Large Graphs", ATC'19, section 3.1). The sources of a cell are
// as many as an interval has, but not one: they are those vertices alone that have an edge there (as mirrors of
// PowerGraph, OSDI'12), and only the active ones are sent (as in NeuGraph's section 4.2).
//
//	stored chunks ──cut, once──▶ cells, in a scratch file
//
//	for each destination j:                       the state of all vertices, in a scratch arena
//	    load j                                      now ──load, send──▶ session ──unload──▶ next
//	    for each cell with an active source:
//	        send them ─ Restore ─ (Upload, Step, Evict)*
//	    Apply, unload j
//
// Each of several devices owns some destinations, one after the other, by what leads there (owners.go): a cell goes to
// the owner of its column, and to no other. All columns read the state of the last iteration, so that devices do theirs
// at the same time, and meet at its end. What is added up of all vertices is added up column by column, in their order:
// to the same bits however many devices there are.
//
// Where values only improve, in whatever order messages come, and where sums come to an end, since edges lead around no
// cycle, each column reads what those before it have become in this iteration (Gauss and Seidel's order), and goes on
// by itself until it stands still (settling.go).
//
// To the device a cell is a small graph (plugins.ExtensionIntervals): the first vertices of its session send, the last
// receive. What came along the edges of earlier cells of a column stays there until Apply. All read the state of the
// last iteration (Jacobi's order), so iterations are those of a run without intervals. The commands of a
// piece travel in one message; while the device obeys them it is found out which sources of the next cell are active,
// and the system reads what is sent of them.
//
// Memory: the scratch arena and the cells are files of the system's directory for temporary files, of which the page
// cache holds as much as it likes. Of the arena only what is needed next is read, and nothing around it: a system that
// reads megabytes around a page pushes out the program itself. Where memory is scarce (plan.Fit.Scarce) cells leave
// nothing in the cache. On the heap are a piece of a cell, for each device 20 bytes a source of a cell, and some 60
// bytes a piece that say where it is. While chunks are cut there are twice a slot, or 4 MiB, of lists and copies of
// chunks, and where rows receive 12 bytes for 64 vertices.
package intervals

import (
	"context"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"golang.org/x/sync/errgroup"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/gaining"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// New executes the plan of env on devices, of which each has a part of the columns.
func New(env *execute.Env, devices []execute.Device) execute.Executor {
	return &executor{grid: &grid{Env: env}, devices: devices}
}

// grid is what all devices have in common. What they write of it is their own columns of the state.
type grid struct {
	*execute.Env
	*state
	cells *cells
}

type executor struct {
	*grid
	devices []execute.Device
	owners  []*owner
	sums    []float64 // of the aggregates of the state
	known   forecast
	sent    int // cells
}

// Execute goes through the grid until the program has converged.
func (e *executor) Execute(ctx context.Context) (err error) {
	defer e.Supply.Release()
	if e.cells, err = cutCells(ctx, e.Env); err != nil {
		return err
	}
	defer e.cells.close()
	if err := e.prepare(); err != nil {
		return err
	}
	turns, err := e.begin(ctx)
	if err != nil {
		return err
	}
	verdict, err := gaining.FindFrom(ctx, e.Env, gaining.Begun{Active: e.now, First: e.columns[e.inputs].now})
	if verdict == gaining.Found || err != nil {
		return err
	}
	if e.inPlace && verdict == gaining.Unknown && !e.entire() { // a device tells of cycles that sums come round
		return plugins.Errorf(plugins.KindUnsupported, "it cannot be told beforehand whether values get better for ever "+
			"around a cycle, or in which order messages may come")
	}
	e.fresh = true
	p := e.Progress
	for p.StartLap(); !p.Final.Converged && p.Final.Number < e.Plan.Bound(); turns++ {
		if err := e.iterate(ctx); err != nil {
			return err
		}
		e.Keeper.Hold(e.held())
		e.Keeper.Keep(p.Final)
	}
	e.arrange(turns)
	e.report()
	return nil
}

// prepare moves the inputs out of the arena, where the sessions' state will be, and divides the columns.
func (e *executor) prepare() (err error) {
	if err := e.moveInputs(); err != nil {
		return err
	}
	e.sums = make([]float64, len(e.Plan.Intervals.Program.Sums))
	if e.state, err = newState(e.Plan, e.Scratch); err != nil {
		return err
	}
	e.owners, err = newOwners(e.grid, e.devices)
	return err
}

// moveInputs has the inputs of all vertices be in the scratch arena.
func (e *executor) moveInputs() error {
	filled := e.Plan.Intervals.Inputs
	for i, c := range filled.Columns[:e.Plan.Inputs()] {
		from, err := e.Arena().Bytes(c.Range)
		if err != nil {
			return err
		}
		to, err := e.Scratch.Bytes(e.Plan.Task.Layout.Columns[i].Range)
		if err != nil {
			return err
		}
		copy(to, from)
	}
	from := filled.Columns[0].Range.Offset
	e.Arena().Discard(arena.Range{Offset: from, Length: filled.Active.End() - from})
	return nil
}

// interval is one by its number.
func (g *grid) interval(i int) chunk.Interval { return g.Plan.Intervals.Interval(i, g.vertices) }

// begin goes on with the state of a checkpoint, or has the initial state evaluated. It tells how often the state has
// turned then.
func (e *executor) begin(ctx context.Context) (turns int, err error) {
	e.Keeper.Hold(e.held())
	if it, ok := e.Keeper.Read(); ok {
		e.Progress.ResumedFrom = it.Number
		e.Progress.Begin(it)
		return 0, nil
	}
	it, err := e.together(ctx, (*owner).init)
	if err != nil {
		return 0, err
	}
	it.Converged = e.Plan.Bound() == 0
	e.Progress.Begin(it)
	return 1, nil
}

// held is what a checkpoint keeps of the last state.
func (e *executor) held() (all [][]byte) {
	for _, c := range e.columns[e.inputs:] {
		all = append(all, c.now)
	}
	return append(all, arrow.Uint64Traits.CastToBytes(e.now), arrow.Float64Traits.CastToBytes(e.sums))
}

// iterate does an iteration: all columns of the grid.
func (e *executor) iterate(ctx context.Context) error {
	for _, o := range e.owners {
		if err := o.tellSums(e.sums); err != nil {
			return err
		}
	}
	began, before, sent := time.Now(), e.counted(), e.sent
	e.Rec.Trace.Iteration(e.Progress.Final.Number + 1)
	e.because(e.expect())
	it, err := e.together(ctx, (*owner).iterate)
	if err != nil {
		return err
	}
	e.fresh = false
	program := e.Plan.Task.Program
	it.Number = e.Progress.Final.Number + 1
	settled := it.Active == 0 || program.Norm != algorithms.NoNorm && it.Change <= program.Tolerance
	it.Converged = it.Number >= e.Plan.Bound() || !program.Exactly && settled
	done := e.counted()
	e.known.learn(work{done.Messages - before.Messages, done.EdgeBytes - before.EdgeBytes}, time.Since(began))
	e.Progress.End(it, e.sent-sent)
	return nil
}

// outcome is what has become of an interval.
type outcome struct {
	sent   int // cells
	active uint64
	change float64
	terms  []float64 // what each aggregate comes to there
}

// step is what an owner does in a column. What it returns takes what has become of the column out of the session.
type step func(o *owner, ctx context.Context, j int) (take func() (outcome, error), err error)

// together has all owners do something in each of their columns at the same time, and puts together what becomes of the
// columns, in their order. It is the state then. In place it is done in strides, of a column of each owner: once all
// have done theirs, what has become of them is written, for later strides to read.
func (e *executor) together(ctx context.Context, do step) (it plugins.Iteration, err error) {
	all := make([]outcome, e.Plan.Intervals.Count)
	if e.inPlace {
		err = e.inStrides(ctx, do, all)
	} else {
		err = e.each(ctx, func(ctx context.Context, o *owner) error {
			for _, j := range o.mine {
				take, err := do(o, ctx, j)
				if err == nil {
					all[j], err = take()
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		return it, err
	}
	clear(e.sums)
	for _, c := range all {
		e.sent += c.sent
		if it.Active += c.active; e.Plan.Task.Program.Norm == algorithms.LInf {
			it.Change = max(it.Change, c.change)
		} else {
			it.Change += c.change
		}
		for k, x := range c.terms {
			e.sums[k] += x
		}
	}
	e.turn()
	return it, nil
}

// inStrides does a column of each owner at the same time, and then the next of each.
func (e *executor) inStrides(ctx context.Context, do step, all []outcome) error {
	takes := make([]func() (outcome, error), len(all))
	strides := 0
	for _, o := range e.owners {
		strides = max(strides, len(o.mine))
	}
	for stride := range strides {
		err := e.each(ctx, func(ctx context.Context, o *owner) (err error) {
			if stride < len(o.mine) {
				takes[o.mine[stride]], err = do(o, ctx, o.mine[stride])
			}
			return err
		})
		for j, take := range takes {
			if err == nil && take != nil {
				all[j], err = take()
			}
		}
		if err != nil {
			return err
		}
		clear(takes)
	}
	return nil
}

// each has all owners do something at the same time.
func (e *executor) each(ctx context.Context, do func(context.Context, *owner) error) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, o := range e.owners {
		g.Go(func() error { return do(ctx, o) })
	}
	return g.Wait()
}

// counted is what all devices have been given so far.
func (e *executor) counted() (all counts) {
	for _, o := range e.owners {
		all = all.plus(o.counts)
	}
	return all
}

// report says what the run has done.
func (e *executor) report() {
	v, n := e.Plan.Intervals, e.counted()
	r := &report.IntervalsReport{Count: v.Count, Vertices: v.Vertices, Cuts: e.Rec.Meter.Total().Divided,
		Whole: e.whole(), CellBytes: e.cells.edges, OwnBytes: e.cells.ownEdges(), EdgeBytes: n.EdgeBytes,
		Sent: e.sent, Pieces: n.Pieces,
		Skipped: n.Skipped, Commands: n.Commands, Messages: n.Messages, Ahead: n.Ahead, Settled: n.Settled,
		Rounds: n.Rounds}
	for _, o := range e.owners {
		r.StateBytes, r.Copied = r.StateBytes+o.moved, r.Copied+o.copied.Load()
		e.Progress.Shares = append(e.Progress.Shares, execute.Share{Interval: o.share(), Moved: o.moved})
	}
	e.Progress.Intervals = r
}
