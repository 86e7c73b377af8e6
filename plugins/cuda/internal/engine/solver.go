package engine

import (
	"context"
	"errors"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"
	"github.com/penstock-db/penstock/plugins/cuda/internal/residency"
	"github.com/penstock-db/penstock/plugins/cuda/solve"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// solve has the solver do it. It is false where there is none, no room is left for it, or it does not take what it has
// found.
func (e *Engine) solve(ctx context.Context, s Session, chunks []*residency.Chunk, total *plugins.Event) (bool, error) {
	p := e.program
	if p.Solver == nil || e.progress.iteration > 0 {
		return false, nil
	}
	bytes := p.Solver.Scratch(uint64(p.N))
	if e.Budget.Take(bytes, "the solver") != nil {
		return false, nil //nolint:nilerr // it goes without
	}
	defer e.Budget.Give(bytes)
	var err error
	if e.room, err = e.Streams.Computing.Alloc(bytes); errors.Is(err, driver.OutOfMemory) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	solved, err := e.runSolver(ctx, s, chunks, total)
	if err == nil {
		err = e.Streams.Computing.Free(e.room)
		e.room = 0
	}
	return solved, err
}

// runSolver has the solver work in the room that it was given.
func (e *Engine) runSolver(ctx context.Context, s Session, chunks []*residency.Chunk, total *plugins.Event) (
	solved bool, err error,
) {
	p, q, letter := e.program, e.Streams, e.Streams.Mail.Take()
	defer q.Mail.Give(letter)
	job := solve.Job{Card: e.Card.Context.Card, Stream: q.Computing, Spec: p.Spec, Program: p.Describe(e.slab),
		At: e.kernel.Program, Template: p.Template, State: e.kernel, Scratch: e.room, Answer: memory.BytesOf(letter),
		Tell: func(it plugins.Iteration, edges uint64) {
			e.tell(total, it, edges)
			s.Emit(*total)
		}}
	for _, c := range chunks {
		job.Chunks = append(job.Chunks, c.Resident)
	}
	if job.Kernels, err = e.Card.Solvers(); err != nil {
		return false, err
	}
	w, err := q.Timed(q.Computing, func() (err error) {
		solved, err = p.Solver.Run(ctx, job)
		return err
	})
	if err != nil {
		return false, err
	}
	if err := s.Await(ctx, w.Done); err != nil {
		return false, err
	}
	took, err := q.Took(w)
	total.Compute += took
	e.progress.newer = e.progress.newer || solved
	return solved, err
}

// tell takes an iteration of the solver's for the program's. Where only the last state counts, it need not tell of all,
// and they are numbered as they are told.
func (e *Engine) tell(total *plugins.Event, it plugins.Iteration, edges uint64) {
	r := &e.progress
	if shape.OnlyLastCounts(e.program.Spec) {
		it.Number = r.iteration + 1
	}
	r.iteration, r.counters.Active, r.counters.Change = it.Number, it.Active, it.Change
	total.Iteration, total.Edges = &it, edges
	total.Resident, total.Peak = e.Budget.Used, e.Budget.Peak
}
