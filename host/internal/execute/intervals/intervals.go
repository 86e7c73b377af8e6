// Package intervals executes a plan by which the state of vertices does not fit the device. The vertices are cut into
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
// To the device a cell is a small graph (plugins.ExtensionIntervals): the first vertices of its session send, the last
// receive. What came along the edges of earlier cells of a column stays there until Apply. All read the state of the
// last iteration (Jacobi's order), so iterations are those of a run without intervals. The commands of a
// piece travel in one message; while the device obeys them it is found out which sources of the next cell are active,
// and the system reads what is sent of them.
//
// Memory: the scratch arena and the cells are files of the system's directory for temporary files, of which the page
// cache holds as much as it likes. Of the arena only what is needed next is read, and nothing around it: a system that
// reads megabytes around a page pushes out the program itself. Where memory is scarce (plan.Fit.Scarce) cells leave
// nothing in the cache. On the heap are a piece of a cell, 20 bytes a source of a cell, and some 60 bytes a piece that
// say where it is. While chunks are cut there are twice a slot, or 4 MiB, of lists and copies of chunks, and where rows
// receive 12 bytes for 64 vertices.
package intervals

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/gaining"
	"github.com/penstock-db/penstock/host/internal/link"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// Suits tells whether the state is cut into intervals.
func Suits(e *execute.Env) bool { return e.Plan.Intervals != nil }

// New executes the plan of env.
func New(env *execute.Env) execute.Executor { return &executor{Env: env} }

type executor struct {
	*execute.Env
	*state
	cells *cells
	ids   []byte   // of sources, as they are read
	free  chan int // slots
	done  report.IntervalsReport

	underway
	ahead  ahead         // what has been found out of the next column
	sums   []float64     // of the aggregates of the state
	copied atomic.Uint64 // bytes of state, by the device
	known  forecast
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
	if found, err := gaining.Find(ctx, e.Env, e.now); found || err != nil {
		return err
	}
	p := e.Progress
	for p.StartLap(); !p.Final.Converged && p.Final.Number < e.Plan.Bound(); turns++ {
		if err := e.iterate(ctx); err != nil {
			return err
		}
		e.Keeper.Hold(e.held())
		e.Keeper.Keep(p.Final)
	}
	e.settle(turns)
	v := e.Plan.Intervals
	e.done.Count, e.done.Vertices, e.done.StateBytes = v.Count, v.Vertices, e.moved
	e.done.Copied = e.copied.Load()
	e.done.Cuts, e.done.CellBytes = e.Rec.Meter.Total().Divided, e.cells.edges
	e.done.Whole = e.whole()
	p.Intervals = &e.done
	return nil
}

// prepare moves the inputs out of the arena, where the session's state will be.
func (e *executor) prepare() (err error) {
	if err := e.moveInputs(); err != nil {
		return err
	}
	v, slots := e.Plan.Intervals, e.Plan.Fit.Slots
	e.sums = make([]float64, len(v.Program.Sums))
	e.ids = make([]byte, plan.SourceBytes*v.Vertices)
	e.free = make(chan int, len(slots))
	for i := range slots {
		e.free <- i
	}
	e.state, err = newState(e.Plan, e.Scratch, e.Arena())
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
func (e *executor) interval(i int) chunk.Interval { return e.Plan.Intervals.Interval(i, e.vertices) }

// bring loads an interval as destinations, over a simulated link if there is one.
func (e *executor) bring(ctx context.Context, i int) {
	e.load(e.interval(i))
	e.Rec.Carry(ctx, e.bytes(e.interval(i)))
}

// begin goes on with the state of a checkpoint, or has the initial state evaluated. It tells how often the state has
// turned then.
func (e *executor) begin(ctx context.Context) (turns int, err error) {
	e.Keeper.Hold(e.held())
	if it, ok := e.Keeper.Read(); ok {
		e.Progress.ResumedFrom = it.Number
		e.Progress.Begin(it)
		return 0, nil
	}
	clear(e.sums) // those of a checkpoint that is damaged
	return 1, e.init(ctx)
}

// held is what a checkpoint keeps of the last state.
func (e *executor) held() (all [][]byte) {
	for _, c := range e.columns[e.inputs:] {
		all = append(all, c.now)
	}
	return append(all, arrow.Uint64Traits.CastToBytes(e.now), arrow.Float64Traits.CastToBytes(e.sums))
}

// init has the initial state evaluated, interval by interval.
func (e *executor) init(ctx context.Context) error {
	it := plugins.Iteration{Converged: e.Plan.Bound() == 0}
	for j := range e.Plan.Intervals.Count {
		e.bring(ctx, j)
		e.Device.Expect(0)
		event, err := e.Device.Do(plugins.Command{Op: plugins.Init}, nil)
		if err != nil {
			return err
		}
		e.copied.Add(event.Bytes)
		active, _ := e.unload(e.interval(j), algorithms.NoNorm)
		it.Active += active
		if err := e.addTerms(j); err != nil {
			return err
		}
	}
	e.turn()
	e.Progress.Begin(it)
	return nil
}

// iterate does an iteration: all columns of the grid.
func (e *executor) iterate(ctx context.Context) error {
	if err := e.tellSums(); err != nil {
		return err
	}
	began, messages, bytes := time.Now(), e.done.Messages, e.done.EdgeBytes
	e.because(e.expect())
	program := e.Plan.Task.Program
	it := plugins.Iteration{Number: e.Progress.Final.Number + 1}
	sent := 0
	for j := range e.Plan.Intervals.Count {
		cells, err := e.column(ctx, j)
		if err != nil {
			return err
		}
		if sent += cells; cells == 0 && stays(e.Plan) {
			e.leave(e.interval(j))
			continue
		}
		if err := e.addTerms(j); err != nil {
			return err
		}
		active, change := e.unload(e.interval(j), program.Norm)
		if it.Active += active; program.Norm == algorithms.LInf {
			it.Change = max(it.Change, change)
		} else {
			it.Change += change
		}
	}
	e.turn()
	settled := it.Active == 0 || program.Norm != algorithms.NoNorm && it.Change <= program.Tolerance
	it.Converged = it.Number >= e.Plan.Bound() || !program.Exactly && settled
	e.done.Sent += sent
	e.known.learn(work{e.done.Messages - messages, e.done.EdgeBytes - bytes}, time.Since(began))
	e.Progress.End(it, sent)
	return nil
}

// stays tells whether vertices that no message reaches stay as they are, and are not active.
func stays(plan *plan.Plan) bool {
	p := plan.Task.Program
	applies := func(s algorithms.State) bool { return s.Apply.Source != "" }
	return plan.AnyOrder() && p.Activity == algorithms.Changed && !slices.ContainsFunc(p.State, applies)
}

// column sends the cells of a column that have an active source, and has the device apply what came along their edges.
// It tells how many. Where there are none, and state stays without them, nothing is done.
func (e *executor) column(ctx context.Context, j int) (sent int, err error) {
	cells, applied := e.cells.columns[j], false
	for k, cell := range cells {
		active, err := e.chosenOf(j, k) // while the device steps over the one before
		if err != nil {
			return sent, err
		}
		if active == 0 {
			e.done.Skipped++
			continue
		}
		if err := e.wait(ctx); err != nil {
			return sent, err
		}
		if sent == 0 {
			e.bring(ctx, j)
		}
		more := slices.ContainsFunc(cells[k+1:], e.maySend)
		if err := e.step(ctx, cell, more); err != nil {
			return sent, err
		}
		sent, applied = sent+1, !more
	}
	return sent, e.endColumn(ctx, j, sent, applied)
}

// endColumn has the device apply, unless it does so already, and waits for it.
func (e *executor) endColumn(ctx context.Context, j, sent int, applied bool) error {
	if applied || sent == 0 && stays(e.Plan) {
		return errors.Join(e.lookAhead(j+1), e.wait(ctx))
	}
	if err := e.wait(ctx); err != nil {
		return err
	}
	if sent == 0 {
		e.bring(ctx, j)
		e.forgetSources()
		if err := e.restore(); err != nil {
			return err
		}
	}
	if err := e.begun(plugins.Command{Op: plugins.Apply}); err != nil {
		return err
	}
	return errors.Join(e.lookAhead(j+1), e.wait(ctx))
}

// step has the device begin to step over a cell, from the sources that have been chosen, and to apply, if no more
// cells are to follow.
func (e *executor) step(ctx context.Context, cell cell, more bool) error {
	e.Rec.Carry(ctx, e.send())
	if err := e.restore(); err != nil {
		return err
	}
	return e.sendPieces(ctx, cell.pieces, more)
}

// restore has the device go on from what has been loaded. Another command must follow.
func (e *executor) restore() error {
	it := plugins.Iteration{Number: e.Progress.Final.Number, Active: count(e.cell)}
	e.Device.Expect(it.Number)
	return e.tell(plugins.Command{Op: plugins.Restore, Iteration: it, More: true},
		func(event plugins.Event) { e.copied.Add(event.Bytes) })
}

// tell sends a command. Messages are counted: a command with More travels with the next.
func (e *executor) tell(c plugins.Command, done func(plugins.Event)) error {
	if e.done.Commands++; !c.More {
		e.done.Messages++
	}
	return e.Device.Send(c, link.Call{Done: done})
}

// begun sends a command that wait waits for.
func (e *executor) begun(c plugins.Command) error { return e.tell(c, e.await()) }

// sendPieces has the device step over pieces of a cell, while the next are read, and apply, if no more cells follow.
// wait waits for the end.
func (e *executor) sendPieces(ctx context.Context, pieces []arena.Range, more bool) error {
	for k, piece := range pieces {
		var slot int
		select {
		case slot = <-e.free:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err := e.sendPiece(ctx, piece, slot); err != nil {
			return err
		}
		if err := e.evict(slot, k == len(pieces)-1, more); err != nil {
			return err
		}
	}
	if more {
		return nil
	}
	return e.begun(plugins.Command{Op: plugins.Apply})
}

// evict has the device forget the piece in a slot, which is free then. The last one of a cell ends what wait waits for;
// of a column, it travels with Apply.
func (e *executor) evict(slot int, last, more bool) error {
	ended := func(plugins.Event) {}
	if last && more {
		ended = e.await()
	}
	c := plugins.Command{Op: plugins.Evict, Chunk: e.Plan.Fit.Slots[slot].Part, More: last && !more}
	return e.tell(c, func(event plugins.Event) {
		e.free <- slot
		ended(event)
	})
}

// sendPiece reads a piece to a slot, and has the device step over it. Another command must follow.
func (e *executor) sendPiece(ctx context.Context, piece arena.Range, slot int) error {
	place := e.Plan.Fit.Slots[slot]
	at := arena.Range{Offset: place.At.Offset, Length: piece.Length}
	dst, err := e.Arena().Bytes(at)
	if err != nil {
		return err
	}
	if err := e.cells.read(dst, piece.Offset); err != nil {
		return err
	}
	e.Rec.Carry(ctx, at.Length)
	e.done.EdgeBytes, e.done.Pieces = e.done.EdgeBytes+at.Length, e.done.Pieces+1
	if err := e.tell(plugins.Command{Op: plugins.Upload, Chunk: place.Part, At: at, More: true}, nil); err != nil {
		return err
	}
	return e.tell(plugins.Command{Op: plugins.Step, Chunk: place.Part, More: true}, nil)
}
