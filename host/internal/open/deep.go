package open

import (
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
)

// deep is plan.Terms.Deep. It looks at some lists, of chunks that stay at hand for the run.
func (o *Opened) deep(p *plan.Plan) (plan.Unordered, error) {
	s := o.Supply(p)
	o.looked = s
	if why := s.Passing(); why.Cause != plan.Ordered {
		return why, nil
	}
	sizes, lists := p.Sizes(), s.Lists()
	room := p.Fit.Capacity - min(p.Fit.Capacity, sizes.PartRoom())
	edges := room / sizes.Entry()
	depth, err := lists.Depth(o.ctx, o.Snap.Manifest().Vertices, edges)
	if depth != supply.Deep || err != nil {
		return plan.Unordered{Cause: causes[depth], Have: edges}, err
	}
	longest, err := lists.Longest(o.ctx) // of chunks that the run looks at all the same
	if list := sizes.ListsCost(1, longest); list > room {
		return plan.Unordered{Cause: plan.LongList, Need: list, Have: room}, err
	}
	return plan.Unordered{}, err
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
