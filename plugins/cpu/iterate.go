package cpu

import (
	"context"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// errNotStarted answers what only makes sense after Init.
var errNotStarted = plugins.Errorf(plugins.KindInvalid, "there is no state yet: Init comes first")

// step sends the messages of r's edges and returns how many edges it processed.
func (p *program) step(ctx context.Context, r *resident) (uint64, error) {
	if err := p.prepare(ctx); err != nil {
		return 0, err
	}
	return p.carry(ctx, p.edges, r)
}

// carry runs kernel over the segments of r.
func (p *program) carry(ctx context.Context, kernel edgeKernel, r *resident) (uint64, error) {
	var edges atomic.Uint64
	err := p.pool.run(ctx, r.segments(), func(worker, s int) {
		edges.Add(kernel.step(worker, r, s))
	})
	if err == nil {
		kernel.combine(r)
	}
	return edges.Load(), err
}

// iterate steps over chunks in order and applies, until there is nothing more to do;
// tell hears of each iteration and of all edges processed so far.
func (p *program) iterate(ctx context.Context, chunks []*resident, tell func(*plugins.Iteration, uint64)) (uint64, error) {
	var edges uint64
	if p.solver != nil && p.iteration == 0 && !p.report().Converged {
		var solved bool
		var err error
		if edges, solved, err = p.solver.solve(ctx, chunks, tell); solved || err != nil {
			return edges, err
		}
	}
	for !p.report().Converged {
		if err := p.prepare(ctx); err != nil {
			return edges, err
		}
		kernel, err := p.direction(ctx, chunks)
		if err != nil {
			return edges, err
		}
		for _, r := range chunks {
			done, err := p.carry(ctx, kernel, r)
			edges += done
			if err != nil {
				return edges, err
			}
		}
		if err := p.finish(ctx); err != nil {
			return edges, err
		}
		tell(p.report(), edges)
	}
	return edges, nil
}

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
	}
}
