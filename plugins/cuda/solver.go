package cuda

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cuda/solve"
	"github.com/penstock-db/penstock/plugins/shape"
)

// findSolver finds who runs the program to its end by itself, once everything is resident: where nobody looks at
// it in between.
func (p *program) findSolver(graph plugins.Graph) {
	if p.settling || p.restorable {
		return
	}
	p.solver, _ = solve.For(p.spec, graph)
}

// solve has the solver do it. It is false where there is none, or it does not take what it has found.
func (s *session) solve(ctx context.Context, total *plugins.Event) (bool, error) {
	p := s.program
	if p.solver == nil || p.iteration > 0 {
		return false, nil
	}
	loaded, err := s.card.forSolvers()
	if err != nil {
		return false, err
	}
	letter := s.mail.take()
	defer s.mail.give(letter)
	job := solve.Job{Card: s.card.context.Card, Stream: s.computing, Kernels: loaded, Spec: p.spec, Program: p.described(), At: p.kernel.Program,
		Scratch: p.at(p.layout.solver), Answer: bytesOf(letter), Tell: func(it plugins.Iteration, edges uint64) { p.tell(s, total, it, edges) }}
	for _, r := range s.inOrder() {
		job.Chunks = append(job.Chunks, r.Resident)
	}
	solved := false
	a, err := s.timed(s.computing, func() (err error) {
		solved, err = p.solver.Run(ctx, job)
		return err
	})
	if err != nil {
		return false, err
	}
	if err := s.await(ctx, a.done); err != nil {
		return false, err
	}
	took, err := a.done.Since(*a.began)
	s.events.give(a.began, a.done)
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
