package open

import (
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/supply"
)

// deep is plan.Terms.Deep. It looks at some lists, of chunks that stay at hand for the run.
func (o *Opened) deep(p *plan.Plan) (bool, error) {
	m, sizes := o.Snap.Manifest(), p.Sizes()
	s := o.Supply(p)
	if o.looked = s; !s.Lasts() {
		return false, nil
	}
	longest, err := o.longest([]chunk.Direction{p.Chunks[0].Info.Direction})
	room := p.Fit.Capacity - min(p.Fit.Capacity, sizes.PartRoom())
	if err != nil || sizes.ListsCost(1, int(longest.Edges)) > room {
		return false, err
	}
	return s.Lists().Deep(o.ctx, m.Vertices, room/sizes.Entry())
}

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
