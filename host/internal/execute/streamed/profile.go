package streamed

import (
	"sync"
	"time"

	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// profile is what the groups of an iteration's loads took. Of several devices, one may answer late: its answer is then
// for a profile that has been told.
type profile struct {
	mu      sync.Mutex // protects the times of shipments
	began   time.Time
	shipped []*shipment.Shipment
	copies  bool // the device has memory of its own
}

// worked counts a command that the device has done. One that reads the arena in place
// transfers nothing: it looks at what it was given.
func (p *profile) worked(s *shipment.Shipment, e plugins.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.Times.Compute += e.Compute
	if p.copies {
		s.Times.Transfer += e.Transfer
	} else {
		s.Times.Compute += e.Transfer
	}
}

// tell tells a schedule of the iteration that has ended now.
func (p *profile) tell(state *schedule.State) {
	p.mu.Lock()
	defer p.mu.Unlock()
	state.Took, state.Pass = nil, 0
	if !p.began.IsZero() {
		state.Pass = time.Since(p.began)
	}
	for _, s := range p.shipped {
		for s.Group >= len(state.Took) {
			state.Took = append(state.Took, schedule.Times{})
		}
		state.Took[s.Group].Add(s.Times)
	}
	p.shipped = nil
}
