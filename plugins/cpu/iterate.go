package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
)

// errNotStarted answers what only makes sense after Init.
var errNotStarted = plugins.Errorf(plugins.KindInvalid, "there is no state yet: Init comes first")

// step sends the messages of r's edges and returns how many edges it processed.
func (p *program) step(ctx context.Context, r *csr.Chunk) (uint64, error) {
	if p.stepper != nil {
		return p.stepper.step(ctx, r)
	}
	if err := p.prepare(ctx); err != nil {
		return 0, err
	}
	return p.carry(ctx, p.edges, csr.Batches([]*csr.Chunk{r}, p.headCount)[0])
}

// iterate steps over chunks in order and applies, until there is nothing more to do;
// tell hears of each iteration and of all edges processed so far.
func (p *program) iterate(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (uint64, error) {
	var edges uint64
	if p.solver != nil && p.iteration == 0 && !p.report().Converged {
		var solved bool
		var err error
		if edges, solved, err = p.solver.solve(ctx, chunks, tell); solved || err != nil {
			return edges, err
		}
	}
	if p.stepper != nil {
		return p.stepOn(ctx, chunks, tell)
	}
	list := csr.Batches(chunks, p.headCount)
	for !p.report().Converged {
		if err := p.prepare(ctx); err != nil {
			return edges, err
		}
		kernel, err := p.direction(ctx, chunks)
		if err != nil {
			return edges, err
		}
		for _, w := range list {
			done, err := p.carry(ctx, kernel, w)
			edges += done
			if err != nil {
				return edges, err
			}
		}
		end := p.turn
		if p.last() {
			end = p.finish
		}
		if err := end(ctx); err != nil {
			return edges, err
		}
		tell(p.report(), edges)
	}
	p.begun = false // what the last turn prepared was for nothing
	return edges, nil
}

// stepOn goes on with a stepper where Step and Apply have left it.
func (p *program) stepOn(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (edges uint64, err error) {
	for !p.report().Converged {
		for _, r := range chunks {
			done, err := p.stepper.step(ctx, r)
			if edges += done; err != nil {
				return edges, err
			}
		}
		if err := p.stepper.turn(ctx); err != nil {
			return edges, err
		}
		tell(p.report(), edges)
	}
	return edges, nil
}

// last tells whether the program's bound ends it after this iteration.
func (p *program) last() bool { return p.iteration+1 >= p.spec.Bound(uint64(p.n)) }

// report says where the run stands. As algorithms defines it, the first iteration is
// done even when nobody is active.
func (p *program) report() *plugins.Iteration {
	all := total(p.changes, p.spec.Norm)
	settled := p.n == 0
	if p.iteration > 0 {
		settled = settled || all.active == 0 || (p.spec.Norm != algorithms.NoNorm && all.by <= p.spec.Tolerance)
	}
	over := p.iteration >= p.spec.Bound(uint64(p.n))
	return &plugins.Iteration{
		Number:    p.iteration,
		Active:    all.active,
		Change:    all.by,
		Converged: over || (settled && !p.spec.Exactly),
		Places:    p.places,
	}
}
