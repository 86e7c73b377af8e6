package cpu

import (
	"context"

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
	return p.carry(ctx, p.edges, csr.Batches([]*csr.Chunk{r}, p.heads))
}

// carry runs a kernel over batches in order.
func (p *program) carry(ctx context.Context, kernel edgeKernel, batches []csr.Batch) (edges uint64, err error) {
	var pulled *ownShare
	if p.code.pulls {
		pulled = p.frontier.share
	}
	for _, b := range batches {
		done, err := carry(ctx, p.pool, kernel, b, pulled)
		if edges += done; err != nil {
			return edges, err
		}
	}
	return edges, nil
}

// finish ends an iteration: the next state from the accumulators, and the next active set.
func (p *program) finish(ctx context.Context) error {
	if p.stepper != nil {
		return p.stepper.turn(ctx)
	}
	if err := p.prepare(ctx); err != nil { // when no chunk was stepped
		return err
	}
	err := p.pool.Blocks(ctx, p.n, func(worker, block, from, to int) {
		p.progress.changes[block] = p.applier.block(worker, from, to)
	})
	if err != nil {
		return err
	}
	p.progress.iteration++
	p.prepared = false
	return nil
}

// turn is finish and the next iteration's prepare in one pass over the state.
func (p *program) turn(ctx context.Context) error {
	err := p.pool.Blocks(ctx, p.n, func(worker, block, from, to int) {
		p.progress.changes[block] = p.applier.block(worker, from, to)
		p.sender.block(worker, block, from, to)
	})
	if err != nil {
		return err
	}
	p.allPrepared()
	p.progress.iteration++
	return nil
}

// iterate steps over chunks in order and applies, until there is nothing more to do;
// tell hears of each iteration and of all edges processed so far.
func (p *program) iterate(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (edges uint64, err error) {
	if p.solver != nil && p.progress.iteration == 0 && !p.progress.report().Converged {
		var solved bool
		edges, solved, err = p.solver.solve(ctx, chunks, tell)
		p.emptied, p.prepared = false, false // a solver may use the accumulators
		if solved || err != nil {
			return edges, err
		}
	}
	if p.stepper != nil {
		return p.stepOn(ctx, chunks, tell)
	}
	batches := csr.Batches(chunks, p.heads)
	for !p.progress.report().Converged {
		if err := p.prepare(ctx); err != nil {
			return edges, err
		}
		kernel, err := p.direction(ctx, chunks)
		if err != nil {
			return edges, err
		}
		done, err := p.carry(ctx, kernel, batches)
		if edges += done; err != nil {
			return edges, err
		}
		end := p.turn
		if p.progress.last() {
			end = p.finish
		}
		if err := end(ctx); err != nil {
			return edges, err
		}
		tell(p.progress.report(), edges)
	}
	p.prepared = false // what the last turn prepared was for nothing
	return edges, nil
}

// direction chooses the kernel of an iteration, once its messages are there.
func (p *program) direction(ctx context.Context, chunks []*csr.Chunk) (edgeKernel, error) {
	if p.bottomUp == nil {
		return p.edges, nil
	}
	up, err := p.bottomUp.beats(ctx, chunks)
	if up {
		return p.bottomUp, err
	}
	return p.edges, err
}

// stepOn goes on with a stepper where Step and Apply have left it.
func (p *program) stepOn(ctx context.Context, chunks []*csr.Chunk, tell func(*plugins.Iteration, uint64)) (edges uint64, err error) {
	for !p.progress.report().Converged {
		for _, r := range chunks {
			done, err := p.stepper.step(ctx, r)
			if edges += done; err != nil {
				return edges, err
			}
		}
		if err := p.stepper.turn(ctx); err != nil {
			return edges, err
		}
		tell(p.progress.report(), edges)
	}
	return edges, nil
}
