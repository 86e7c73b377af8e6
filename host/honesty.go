package host

import (
	"math"

	"github.com/penstock-db/penstock/plugins"
)

// honesty checks events against the contract, so that a device that is wrong is caught
// when it speaks and not by a wrong result.
type honesty struct {
	device   string
	budget   uint64
	vertices uint64
	next     int // number of the next iteration
}

// check tells what is wrong with an event; x is the command it names, nil if there is none.
func (h *honesty) check(x *exchange, e plugins.Event) error {
	switch {
	case x == nil:
		return lie(h.device, "an event for command %d, which is not under way", e.Seq)
	case e.Peak > h.budget || e.Resident > h.budget:
		err := plugins.Errorf(plugins.KindBudget, "it holds %d bytes of a budget of %d", max(e.Peak, e.Resident), h.budget)
		err.Device = h.device
		return err
	case e.Resident > e.Peak:
		return lie(h.device, "%d bytes in use, but a peak of %d", e.Resident, e.Peak)
	case e.Fraction < 0 || e.Fraction > 1 || math.IsNaN(e.Fraction):
		return lie(h.device, "a fraction of %v", e.Fraction)
	case e.Released && x.op != plugins.Upload && x.op != plugins.Evict:
		return lie(h.device, "it released a range that it was not given")
	case e.Transfer < x.latest.Transfer || e.Compute < x.latest.Compute || e.Bytes < x.latest.Bytes || e.Edges < x.latest.Edges:
		return lie(h.device, "the cost of command %d went down", e.Seq)
	case e.Iteration != nil:
		return h.checkIteration(x.op, *e.Iteration)
	case e.Done && e.Err == nil && needsIteration(x.op):
		return lie(h.device, "an iteration ended without its state")
	}
	return nil
}

func (h *honesty) checkIteration(op plugins.Op, it plugins.Iteration) error {
	if !needsIteration(op) && op != plugins.Iterate && op != plugins.Deliver { // an iteration ends none of the others
		return lie(h.device, "an iteration that was not asked for")
	}
	if it.Active > h.vertices {
		return lie(h.device, "%d of %d vertices active", it.Active, h.vertices)
	}
	if p := it.Places; 0 < p.To && p.To <= p.From {
		return lie(h.device, "it asks for entries of lists from %d to %d", p.From, p.To)
	}
	if op == plugins.Settle || op == plugins.Deliver {
		return h.checkRounds(it)
	}
	if it.Number == h.next-1 && op == plugins.Iterate {
		return nil // the last event of Iterate may repeat the last iteration
	}
	if it.Number != h.next {
		return lie(h.device, "iteration %d after iteration %d", it.Number, h.next-1)
	}
	h.next++
	return nil
}

// checkRounds is checkIteration after a Settle, which may take any number of rounds.
func (h *honesty) checkRounds(it plugins.Iteration) error {
	switch {
	case it.Number < h.next-1:
		return lie(h.device, "round %d after round %d", it.Number, h.next-1)
	case it.Converged != (it.Active == 0):
		return lie(h.device, "converged %v with %d vertices active", it.Converged, it.Active)
	}
	h.next = it.Number + 1
	return nil
}

func needsIteration(op plugins.Op) bool {
	return op == plugins.Init || op == plugins.Restore || op == plugins.Apply || op == plugins.Settle
}
