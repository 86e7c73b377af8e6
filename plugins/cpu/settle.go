package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/shape"
)

// canSettle tells why the program cannot be brought to local convergence: its messages must
// be such as may be applied in any order, or a part of them now and the rest later.
func (p *program) canSettle() error {
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
	case p.restorable && shape.Accumulates(p.spec.Reduce):
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
	if !p.settling || p.spec.Diverged == "" {
		return nil
	}
	for _, w := range r.WeightsOf(p.edgeColumn(p.process.EdgeColumn)) {
		if err := shape.SettlesWith(p.spec, w); err != nil {
			return err
		}
	}
	return nil
}

// errOtherwise answers Settle where the task was not compiled for it, and other commands where it was.
var errOtherwise = plugins.Errorf(plugins.KindInvalid, "the task says otherwise: Settle is instead of Step, Apply and Iterate")

// settle lets the active vertices of complete send along chunks, and those of complete who
// are reached by that, and so on: for so many rounds (0: any number), or until none of them
// is active. Who sent is active no more; who was reached is, until it sends. Subway calls
// it asynchronous processing (Sabet et al., EuroSys'20, section 4.3).
func (p *program) settle(ctx context.Context, chunks []*csr.Chunk, complete []uint64, rounds int) (edges uint64, err error) {
	if c, ok := p.stepper.(*components); ok {
		return c.settleSome(ctx, chunks, complete)
	}
	p.senders = p.departing
	defer func() { p.senders, p.begun = p.active, false }()
	if rounds == 0 {
		rounds = p.spec.Bound(uint64(p.n))
	}
	list := csr.Batches(chunks, p.headCount)
	for ; err == nil && rounds > 0 && p.depart(complete); rounds-- {
		var done uint64
		if done, err = p.round(ctx, list); err == nil && rounds > 1 {
			err = p.arrive(ctx, complete)
		}
		edges += done
	}
	if err == nil {
		err = p.arrive(ctx, nil)
	}
	return edges, err
}

// depart takes those of complete who are active out of the active set, to send, and tells
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
func (p *program) round(ctx context.Context, list []csr.Batch) (edges uint64, err error) {
	p.begun = false
	p.iteration++
	if err := p.prepare(ctx); err != nil {
		return 0, err
	}
	for _, w := range list {
		done, err := p.carry(ctx, p.edges, w)
		edges += done
		if err != nil {
			return edges, err
		}
	}
	return edges, nil
}
