package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/shape"
)

// canSettle tells why a program cannot be brought to local convergence: its messages must
// be such as may be applied in any order, or a part of them now and the rest later.
func canSettle(p *code, restorable bool) error {
	var reason string
	switch {
	case p.spec.Order == algorithms.Synchronous:
		reason = "it needs every message of an iteration before the next"
	case p.spec.Exactly || p.spec.MaxIterations > 0 && p.spec.Order == algorithms.Monotone:
		reason = "it is to take a certain number of iterations"
	case p.spec.Activity == algorithms.Always:
		reason = "every vertex always sends"
	case len(p.spec.Aggregates) > 0:
		reason = "it asks for sums over all vertices"
	case p.spec.Order == algorithms.Monotone && !p.improves():
		reason = "it has an Apply of its own"
	case p.spec.Order == algorithms.Accumulative && !shape.Accumulates(p.spec.Reduce):
		reason = "its accumulators forget what arrived before"
	case restorable && shape.Accumulates(p.spec.Reduce):
		reason = "what has arrived, and waits to be sent on, would be lost between two sessions"
	case p.spec.Diverged != "" && !p.process.Lengthens(p.spec):
		reason = "it would not be noticed that " + p.spec.Diverged
	default:
		return nil
	}
	return plugins.Errorf(plugins.KindUnsupported, "parts of program %q cannot settle by themselves: %s", p.spec.Name, reason)
}

// checkWeights refuses a chunk with whose weights a program might go on settling for ever.
func (p *program) checkWeights(r *csr.Chunk) error {
	if !p.mode.settling || p.code.spec.Diverged == "" {
		return nil
	}
	for _, w := range r.WeightsOf(p.code.edgeColumn(p.code.process.EdgeColumn)) {
		if err := shape.SettlesWith(p.code.spec, w); err != nil {
			return err
		}
	}
	return nil
}

// errOtherwise answers Settle where the task was not compiled for it, and other commands where it was.
var errOtherwise = plugins.Errorf(plugins.KindInvalid, "the task says otherwise: Settle is instead of Step, Apply and Iterate")

// settle lets the active vertices of complete send along chunks, and those of complete that
// are reached by that, and so on: for so many rounds (0: any number), or until none of them
// is active. A vertex that has sent is active no more; one that was reached is, until it sends.
// Subway calls it asynchronous processing (Sabet et al., EuroSys'20, section 4.3).
func (p *program) settle(ctx context.Context, chunks []*csr.Chunk, complete []uint64, rounds int) (edges uint64, err error) {
	if s, ok := p.stepper.(settler); ok {
		return s.settleSome(ctx, chunks, complete)
	}
	p.frontier.senders = p.departing
	defer func() { p.frontier.senders, p.prepared = p.active, false }()
	if rounds == 0 {
		rounds = p.code.spec.Bound(uint64(p.n))
	}
	batches := csr.Batches(chunks, p.heads)
	for ; err == nil && rounds > 0 && p.depart(complete); rounds-- {
		var done uint64
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

// depart takes the active vertices of complete out of the active set, to send, and tells
// whether there are any.
func (p *program) depart(complete []uint64) bool {
	var any uint64
	for i, word := range p.active {
		p.departing[i] = word & complete[i]
		p.active[i] = word &^ complete[i]
		any |= p.departing[i]
	}
	return any != 0
}

// round sends what the departing send.
func (p *program) round(ctx context.Context, batches []csr.Batch) (edges uint64, err error) {
	p.prepared = false
	p.progress.iteration++
	if err := p.prepare(ctx); err != nil {
		return 0, err
	}
	return p.carry(ctx, p.edges, batches)
}

// arrive gives the vertices of a set that messages have reached their next state; nil: all.
func (p *program) arrive(ctx context.Context, set []uint64) error {
	a := arriving{p.applier, p.departing}
	return p.pool.Blocks(ctx, p.n, func(worker, at, from, to int) {
		p.progress.changes[at] = a.block(worker, from, to, set)
	})
}
