package host

import (
	"time"

	"github.com/penstock-db/penstock/host/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// profile is what the loads of an iteration took that were Alone.
type profile struct {
	began   time.Time
	loads   []schedule.Load
	shipped []*shipment
	copies  bool // the device has memory of its own
}

// add takes note of a shipment that is on its way.
func (p *profile) add(s *shipment) {
	if p.loads[s.load].Alone {
		p.shipped = append(p.shipped, s)
	}
}

// worked counts a command that the device has done. One that reads the arena in place
// transfers nothing: it looks at what it was given.
func (p *profile) worked(s *shipment, e plugins.Event) {
	s.times.Compute += e.Compute
	if p.copies {
		s.times.Transfer += e.Transfer
	} else {
		s.times.Compute += e.Transfer
	}
}

// tell tells a schedule of the iteration that has ended now.
func (p *profile) tell(state *schedule.State) {
	state.Took, state.Pass = nil, time.Since(p.began)
	if len(p.shipped) == 0 {
		return
	}
	state.Took = make([]schedule.Times, len(p.loads))
	for _, s := range p.shipped {
		state.Took[s.load].Add(s.times)
	}
	p.shipped = nil
}
