package link

import (
	"math"

	"github.com/penstock-db/penstock/host/internal/violation"
	"github.com/penstock-db/penstock/plugins"
)

// contract checks events, so that a faulty device is caught when it answers and not by a wrong result.
type contract struct {
	device   string
	budget   uint64
	vertices uint64
	next     int // number of the next iteration
	epochs   int // that a procedure has told of
}

// check tells what is wrong with an event; x is the command it names, nil if there is none.
func (c *contract) check(x *call, e plugins.Event) error {
	switch {
	case x == nil:
		return violation.Of(c.device, "an event for command %d, which is not under way", e.Seq)
	case e.Peak > c.budget || e.Resident > c.budget:
		err := plugins.Errorf(plugins.KindBudget, "it holds %d bytes of a budget of %d", max(e.Peak, e.Resident), c.budget)
		err.Device = c.device
		return err
	case e.Resident > e.Peak:
		return violation.Of(c.device, "%d bytes in use, but a peak of %d", e.Resident, e.Peak)
	case e.Fraction < 0 || e.Fraction > 1 || math.IsNaN(e.Fraction):
		return violation.Of(c.device, "a fraction of %v", e.Fraction)
	case e.Released && x.op != plugins.Upload && x.op != plugins.Evict:
		return violation.Of(c.device, "it released a range that it was not given")
	case e.Transfer < x.latest.Transfer || e.Compute < x.latest.Compute || e.Bytes < x.latest.Bytes ||
		e.Edges < x.latest.Edges:
		return violation.Of(c.device, "the cost of command %d went down", e.Seq)
	case (e.Epoch != nil || e.Work != nil) && x.op != plugins.Call:
		return violation.Of(c.device, "it told of learning that it was not asked for")
	case e.Epoch != nil && e.Epoch.Number != c.epochs+1:
		return violation.Of(c.device, "epoch %d after epoch %d", e.Epoch.Number, c.epochs)
	case e.Iteration != nil:
		return c.checkIteration(x.op, *e.Iteration)
	case e.Done && e.Err == nil && needsIteration(x.op):
		return violation.Of(c.device, "an iteration ended without its state")
	}
	return nil
}

func (c *contract) checkIteration(op plugins.Op, it plugins.Iteration) error {
	if op == plugins.Call && it.Cycle != nil {
		return nil // which is in the way of a result
	}
	if !needsIteration(op) && op != plugins.Iterate && op != plugins.Deliver { // an iteration ends none of the others
		return violation.Of(c.device, "an iteration that was not asked for")
	}
	if it.Active > c.vertices {
		return violation.Of(c.device, "%d of %d vertices active", it.Active, c.vertices)
	}
	if p := it.Places; 0 < p.To && p.To <= p.From {
		return violation.Of(c.device, "it asks for entries of lists from %d to %d", p.From, p.To)
	}
	if op == plugins.Settle || op == plugins.Deliver {
		return c.checkRounds(it)
	}
	if it.Number == c.next-1 && op == plugins.Iterate {
		return nil // the last event of Iterate may repeat the last iteration
	}
	if it.Number != c.next {
		return violation.Of(c.device, "iteration %d after iteration %d", it.Number, c.next-1)
	}
	c.next++
	return nil
}

// checkRounds is checkIteration after a Settle, which may take any number of rounds.
func (c *contract) checkRounds(it plugins.Iteration) error {
	switch {
	case it.Number < c.next-1:
		return violation.Of(c.device, "round %d after round %d", it.Number, c.next-1)
	case it.Converged != (it.Active == 0):
		return violation.Of(c.device, "converged %v with %d vertices active", it.Converged, it.Active)
	}
	c.next = it.Number + 1
	return nil
}

func needsIteration(op plugins.Op) bool {
	return op == plugins.Init || op == plugins.Restore || op == plugins.Apply || op == plugins.Settle
}
