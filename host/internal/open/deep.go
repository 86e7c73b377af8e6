package open

import (
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
)

// looking looks at lists to agree on a plan, of chunks that stay at hand for the run.
type looking struct{ *Opened }

// deep is plan.Terms.Deep. It looks at some lists.
func (o looking) deep(p *plan.Plan) (plan.Unordered, error) {
	s := o.Supply(p)
	o.looked = s
	if why := s.Passing(); why.Cause != plan.Ordered {
		return why, nil
	}
	edges := listRoom(p) / p.Sizes().Entry()
	depth, err := s.Lists().Depth(o.ctx, o.Snap.Manifest().Vertices, edges)
	if depth != supply.Deep || err != nil {
		return plan.Unordered{Cause: causes[depth], Have: edges}, err
	}
	return o.atHand(p)
}

// atHand is plan.Terms.AtHand. It reads all chunks, which the run looks at all the same.
func (o looking) atHand(p *plan.Plan) (plan.Unordered, error) {
	s := o.Supply(p)
	o.looked = s
	if why := s.Passing(); why.Cause != plan.Ordered {
		return why, nil
	}
	longest, err := s.Lists().Longest(o.ctx)
	if list, room := p.Sizes().ListsCost(1, longest), listRoom(p); list > room {
		return plan.Unordered{Cause: plan.LongList, Need: list, Have: room}, err
	}
	return plan.Unordered{}, err
}

// listRoom is what a slot has for lists.
func listRoom(p *plan.Plan) uint64 {
	return p.Fit.Capacity - min(p.Fit.Capacity, p.Sizes().PartRoom())
}

// causes are what is in the way of an order of values.
var causes = map[supply.Depth]plan.Cause{supply.Wide: plan.FewLevels, supply.Small: plan.SmallParts}

// Supply supplies the chunks of a plan. Those that were looked at already need not be read again.
func (o *Opened) Supply(p *plan.Plan) *supply.Supply {
	if o.looked != nil && o.looked.Supplies(p) {
		return o.looked
	}
	o.letLookedGo()
	return supply.For(p, o.Snap, o.Device.Cache, o.Rec)
}

func (o *Opened) letLookedGo() {
	if o.looked != nil {
		o.looked.Release()
	}
	o.looked = nil
}
