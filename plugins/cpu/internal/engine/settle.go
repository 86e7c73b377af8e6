package engine

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/solvers"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// CheckWeights refuses a chunk with whose weights a program might go on settling for ever, or to other values.
func (p *Program) CheckWeights(r *csr.Chunk) error {
	switch {
	case !p.Mode.Settling:
		return nil
	case p.Code.Spec.Diverged == "":
		return p.sorted.checkFactors(p, r)
	case p.steps != nil:
		return shape.SettlesBy(p.Code.Spec, p.steps.Least(r))
	}
	for _, w := range r.WeightsOf(p.Code.EdgeColumn(p.Code.Process.EdgeColumn)) {
		if err := shape.SettlesWith(p.Code.Spec, w); err != nil {
			return err
		}
	}
	return nil
}

// Settle lets the active vertices of complete send along chunks, and those of complete that
// are reached by that, and so on: for so many rounds (0: any number), or until none of them
// is active. A vertex that has sent is active no more; one that was reached is, until it sends. Without
// a number of rounds what has a topological order goes in that first (sorted), as one round, and rounds that look at
// edges too often give way to an order of values (nearestFirst).
// Subway calls it asynchronous processing (Sabet et al., EuroSys'20, section 4.3).
func (p *Program) Settle(ctx context.Context, chunks []*csr.Chunk, complete []uint64, rounds int) (edges uint64,
	err error) {
	if s, ok := p.stepper.(solvers.Settler); ok {
		return s.Settle(ctx, chunks, complete)
	}
	if p.sums != nil {
		return p.sums.Settle(ctx, chunks, complete)
	}
	if p.ownSums != nil {
		return p.ownSums.Settle(ctx, chunks, complete)
	}
	p.Frontier.Senders = p.departing
	defer func() { p.Frontier.Senders, p.prepared = p.Active, false }()
	unbounded := rounds == 0
	if unbounded {
		rounds = p.Code.Spec.Bound(uint64(p.N))
	}
	batches, short := csr.Batches(chunks, p.Heads), p.shortFrontier(chunks)
	if short != nil {
		short.among = complete
	}
	if p.sorted != nil && unbounded {
		if edges, err = p.sorted.settle(ctx, p, short, complete); err != nil {
			return edges, err
		}
	}
	all, enough := csr.Entries(chunks), uint64(math.MaxUint64)
	if unbounded {
		enough = rework * all
	}
	for ; err == nil && rounds > 0; rounds-- {
		var done uint64
		done, rounds, err = short.settle(ctx, p, rounds, enough-min(enough, edges))
		if edges += done; err == nil && edges > enough {
			if done, err = short.nearestFirst(ctx, p, patience*all); done >= patience*all {
				enough = math.MaxUint64
			}
			edges += done
		}
		if err != nil || rounds == 0 || !depart(p.Active, p.departing, complete) {
			break
		}
		if done, err = p.round(ctx, batches); err == nil && rounds > 1 {
			err = p.arrive(ctx, complete)
		}
		edges += done
	}
	if err == nil {
		err = p.arrive(ctx, nil)
	}
	return edges, err
}

// round sends what the departing send.
func (p *Program) round(ctx context.Context, batches []csr.Batch) (edges uint64, err error) {
	p.prepared = false
	p.Progress.Iteration++
	if err := p.prepare(ctx); err != nil {
		return 0, err
	}
	return p.Carry(ctx, p.edges, batches)
}

// arrive gives the vertices of a set that messages have reached their next state; nil: all.
func (p *Program) arrive(ctx context.Context, set []uint64) error {
	a := arriving{p.applier, p.departing}
	return p.Pool.Blocks(ctx, p.N, func(worker, at, from, to int) {
		p.Progress.Changes[at] = a.block(worker, from, to, set)
	})
}

// depart moves the active vertices of complete out of the active set, to send, and tells
// whether there are any.
func depart(active, departing, complete []uint64) bool {
	var any uint64
	for i, word := range active {
		departing[i] = word & complete[i]
		active[i] = word &^ complete[i]
		any |= departing[i]
	}
	return any != 0
}

// Hold has the lists of a chunk that has become resident at hand, where that is needed.
func (p *Program) Hold(r *csr.Chunk) {
	if p.nearest != nil {
		p.nearest.Hold(r)
	}
}

// Drop forgets a chunk.
func (p *Program) Drop(r *csr.Chunk) {
	if p.nearest != nil {
		p.nearest.Drop(r)
	}
}

// SettleNearest is Settle in the order of values, of a Plan that says Nearest.
func (p *Program) SettleNearest(ctx context.Context, complete []uint64) (edges uint64, err error) {
	return p.nearest.Settle(ctx, complete)
}
