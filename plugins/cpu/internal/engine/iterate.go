package engine

import (
	"context"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/kernels"
)

// Step sends the messages of r's edges and returns how many edges it processed.
func (p *Program) Step(ctx context.Context, r *csr.Chunk) (uint64, error) {
	if p.stepper != nil {
		return p.stepper.Step(ctx, r)
	}
	if err := p.prepare(ctx); err != nil {
		return 0, err
	}
	return p.Carry(ctx, p.edges, csr.Batches([]*csr.Chunk{r}, p.Heads))
}

// Carry runs a kernel over batches in order.
func (p *Program) Carry(ctx context.Context, kernel kernels.Kernel, batches []csr.Batch) (edges uint64, err error) {
	var pulled *kernels.Share
	if p.Code.Pulls {
		pulled = p.Frontier.Share
	}
	for _, b := range batches {
		done, err := kernels.Carry(ctx, p.Pool, kernel, b, pulled)
		if edges += done; err != nil {
			return edges, err
		}
	}
	return edges, nil
}

// Finish ends an iteration: the next state from the accumulators, and the next active set.
func (p *Program) Finish(ctx context.Context) error {
	if p.stepper != nil {
		return p.stepper.EndIteration(ctx)
	}
	if err := p.prepare(ctx); err != nil { // when no chunk was stepped
		return err
	}
	err := p.Pool.Blocks(ctx, p.N, func(worker, block, from, to int) {
		p.Progress.Changes[block] = p.applier.block(worker, from, to)
	})
	if err != nil {
		return err
	}
	p.Progress.Iteration++
	p.prepared, p.adding = false, false
	return nil
}

// turn is finish and the next iteration's prepare in one pass over the state.
func (p *Program) turn(ctx context.Context) error {
	err := p.Pool.Blocks(ctx, p.N, func(worker, block, from, to int) {
		p.Progress.Changes[block] = p.applier.block(worker, from, to)
		p.sender.block(worker, block, from, to)
	})
	if err != nil {
		return err
	}
	p.sender.end(p.Progress)
	p.Progress.Iteration++
	return nil
}

// Iterate steps over chunks in order and applies, until there is nothing more to do;
// tell hears of each iteration and of all edges processed so far.
func (p *Program) Iterate(ctx context.Context, chunks []*csr.Chunk,
	tell func(*plugins.Iteration, uint64)) (edges uint64, err error) {
	for _, s := range p.solvers {
		if p.Progress.Iteration > 0 || p.Progress.Report().Converged {
			break
		}
		done, solved, err := s.Solve(ctx, chunks, tell)
		p.emptied, p.prepared = false, false // a solver may use the accumulators
		if edges += done; solved || err != nil {
			return edges, err
		}
	}
	if p.stepper != nil {
		return p.stepOn(ctx, chunks, tell)
	}
	batches := csr.Batches(chunks, p.Heads)
	short := p.shortFrontier(chunks)
	for !p.Progress.Report().Converged {
		done, err := short.run(ctx, p, tell, edges)
		if edges += done; err != nil || p.Progress.Report().Converged {
			p.prepared = false
			return edges, err
		}
		if err := p.prepare(ctx); err != nil {
			return edges, err
		}
		kernel, err := direction(ctx, p.edges, p.bottomUp, chunks)
		if err != nil {
			return edges, err
		}
		done, err = p.Carry(ctx, kernel, batches)
		if edges += done; err != nil {
			return edges, err
		}
		end := p.turn
		if p.Progress.Last() {
			end = p.Finish
		}
		if err := end(ctx); err != nil {
			return edges, err
		}
		tell(p.Progress.Report(), edges)
	}
	p.prepared = false // what the last turn prepared was for nothing
	return edges, nil
}

// direction chooses the kernel of an iteration, push or bottom up, once its messages are there.
func direction(ctx context.Context, edges kernels.Kernel, bottomUp *kernels.BottomUp,
	chunks []*csr.Chunk) (kernels.Kernel, error) {
	if bottomUp == nil {
		return edges, nil
	}
	up, err := bottomUp.Beats(ctx, chunks)
	if up {
		return bottomUp, err
	}
	return edges, err
}

// stepOn goes on with a stepper where Step and Apply have left it.
func (p *Program) stepOn(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (edges uint64,
	err error) {
	for !p.Progress.Report().Converged {
		for _, r := range chunks {
			done, err := p.stepper.Step(ctx, r)
			if edges += done; err != nil {
				return edges, err
			}
		}
		if err := p.stepper.EndIteration(ctx); err != nil {
			return edges, err
		}
		tell(p.Progress.Report(), edges)
	}
	return edges, nil
}
