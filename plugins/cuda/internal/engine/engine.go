// Package engine runs a vertex program on a card: it puts kernels into the computing queue, and says where the run
// stands once they are done.
//
//	New      task ──package compile──▶ program                                        (engine.go)
//	Prepare  one slab of the card's memory: columns, accumulators, bitmaps, scratch   (placement.go)
//	Init     id, degrees ──▶ state, first active set                                  (start.go)
//	Restore  arena ──▶ state, active set                                              (start.go)
//	Step     chunk ──push or pull──▶ accumulators                                     (step.go)
//	Apply    accumulators ──▶ state, next active set ──▶ arena                        (apply.go)
//	Iterate  Step over all chunks and Apply until converged                           (iterate.go)
//	         or a solver, which does it by an algorithm of its own: package solve     (solver.go)
//	Settle   the same for some vertices, state improved at once                       (settle.go)
//	           of intervals: those vertices that have come                        (intervals.go)
//	Gather, Deliver   accumulators or states of another session: package exchange     (exchange.go)
//	Publish  state ──▶ arena, where the card has a newer one                          (apply.go)
//
// A command's work is returned; what it leaves in progress (progress.go) is for the next.
package engine

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/card"
	"github.com/penstock-db/penstock/plugins/cuda/internal/compile"
	"github.com/penstock-db/penstock/plugins/cuda/internal/stream"
	"github.com/penstock-db/penstock/plugins/kit"
)

// With is what a program runs with.
type With struct {
	Card    *card.Card
	Streams *stream.Streams
	Budget  *kit.Budget
	Arena   *arena.Arena
}

// Session is what those commands use of their session that ask the card again and again.
type Session struct {
	Await func(context.Context, *driver.Event) error // meanwhile other commands are looked at
	Emit  func(plugins.Event)
}

// Engine is a program on a card. It belongs to the session's thread.
type Engine struct {
	With
	placement

	progress progress
	room     driver.Pointer // of the solver, while it runs
}

// New makes a task's program ready. What is returned beside an error is to be freed as well.
func New(with With, job plugins.Job, task plugins.Task) (*Engine, error) {
	p, err := compile.New(job, task)
	return &Engine{With: with, placement: placement{streams: with.Streams, program: p}}, err
}

// Plan is the answer to Compile.
func (e *Engine) Plan(graph plugins.Graph) plugins.Plan { return e.program.Plan(graph) }

// EdgeColumns are those that kernels read.
func (e *Engine) EdgeColumns() []string { return e.program.Spec.EdgeColumns }

// Settles refuses chunks by their least weight; nil: any will do.
func (e *Engine) Settles() func(least float64) error { return e.program.Settles() }

// Started tells whether Init or Restore has run.
func (e *Engine) Started() bool { return e.progress.started }

// Prepare takes the card's memory, which has been charged, and tells the kernels what they need to know.
func (e *Engine) Prepare(ctx context.Context) error { return e.prepare(ctx) }

// Free gives back what Prepare took.
func (e *Engine) Free() error {
	return errors.Join(e.Streams.Computing.Free(e.room), e.free()) // of none it does nothing
}
