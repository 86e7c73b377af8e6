package cuda

import (
	"context"
	"errors"
	"github.com/penstock-db/penstock/plugins/cuda/internal/memory"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/solve"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// findSolver finds who runs the program to its end by itself, once everything is resident: where nobody looks at
// it in between.
func (p *program) findSolver(graph plugins.Graph) {
	if p.settling || p.restorable {
		return
	}
	p.solver, _ = solve.For(p.spec, graph)
}

// solve has the solver do it. It is false where there is none, no room is left for it, or it does not take what it has
// found.
func (s *session) solve(ctx context.Context, total *plugins.Event) (bool, error) {
	p := s.program
	if p.solver == nil || p.iteration > 0 {
		return false, nil
	}
	bytes := p.solver.Scratch(uint64(p.n))
	if s.budget.Take(bytes, "the solver") != nil {
		return false, nil //nolint:nilerr // it goes without
	}
	defer s.budget.Give(bytes)
	var err error
	if p.room, err = s.streams.Computing.Alloc(bytes); errors.Is(err, driver.OutOfMemory) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	solved, err := s.runSolver(ctx, total)
	if err == nil {
		err = s.streams.Computing.Free(p.room)
		p.room = 0
	}
	return solved, err
}

// runSolver has the solver work in the room that it was given.
func (s *session) runSolver(ctx context.Context, total *plugins.Event) (solved bool, err error) {
	p, letter := s.program, s.streams.Mail.Take()
	defer s.streams.Mail.Give(letter)
	job := solve.Job{Card: s.card.Context.Card, Stream: s.streams.Computing, Spec: p.spec, Program: p.described(),
		At:       p.kernel.Program,
		Template: p.template, State: p.kernel, Scratch: p.room, Answer: memory.BytesOf(letter),
		Tell: func(it plugins.Iteration, edges uint64) { p.tell(s, total, it, edges) }}
	for _, r := range s.chunks.InOrder() {
		job.Chunks = append(job.Chunks, r.Resident)
	}
	if job.Kernels, err = s.card.Solvers(); err != nil {
		return false, err
	}
	a, err := s.streams.Timed(s.streams.Computing, func() (err error) {
		solved, err = p.solver.Run(ctx, job)
		return err
	})
	if err != nil {
		return false, err
	}
	if err := s.await(ctx, a.Done); err != nil {
		return false, err
	}
	took, err := s.streams.Took(a)
	total.Compute += took
	p.newer = p.newer || solved
	return solved, err
}

// tell tells of an iteration of the solver's. Where only the last state counts, it need not tell of all, and they are
// numbered as they are told.
func (p *program) tell(s *session, total *plugins.Event, it plugins.Iteration, edges uint64) {
	if shape.OnlyLastCounts(p.spec) {
		it.Number = p.iteration + 1
	}
	p.iteration, p.counters.Active, p.counters.Change = it.Number, it.Active, it.Change
	total.Iteration, total.Edges = &it, edges
	total.Resident, total.Peak = s.budget.Used, s.budget.Peak
	s.emit(*total)
}
