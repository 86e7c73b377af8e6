package host

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/internal/pages"
)

// unasked looks after memory where nobody has named a budget. What devices take beside the chunks may grow with the square of the
// vertices, however few edges there are: more than is free is refused, and much is said.
func (r *run) unasked() error {
	if r.req.DeviceMemory > 0 || r.device.Memory > 0 {
		return nil
	}
	var need uint64
	for _, d := range r.devices {
		need += d.plan.Fixed
	}
	free, err := pages.Available()
	if err != nil {
		return nil //nolint:nilerr // nobody knows
	}
	if r.tookWarm {
		free += r.warm.bytes
	}
	if need > free {
		return &BudgetError{What: "what " + r.device.Name + " takes beside the chunks, of memory that is free,", Need: need, Have: free,
			Advice: fmt.Sprintf("close what holds memory, or give --device-memory %dB to try it all the same", need)}
	}
	if need > r.budget/4 {
		r.events.Noticed(fmt.Errorf("%s takes %s beside the chunks, of %s that are free; --device-memory bounds that",
			r.device.Name, humanize.IBytes(need), humanize.IBytes(free)))
	}
	return nil
}
