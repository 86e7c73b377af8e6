package plan

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

// CheckUnbounded looks after memory where no budget was named, nor the device has one of its own. What devices take
// beside the chunks may grow with the square of the vertices, however few edges there are: more than is free is refused
// with a *BudgetError, and of much there is a notice. fixed is what all devices take so.
func (p *Plan) CheckUnbounded(fixed, free uint64) (notice, err error) {
	switch {
	case p.Request.DeviceMemory > 0 || p.Device.Memory > 0:
		return nil, nil
	case fixed > free:
		return nil, &BudgetError{What: "what " + p.Device.Name + " takes beside the chunks, of memory that is free,",
			Need: fixed, Have: free,
			Advice: fmt.Sprintf("close what holds memory, or give --device-memory %dB to try it all the same", fixed)}
	case fixed > p.Budget/4:
		return fmt.Errorf("%s takes %s beside the chunks, of %s that are free; --device-memory bounds that",
			p.Device.Name, humanize.IBytes(fixed), humanize.IBytes(free)), nil
	}
	return nil, nil
}
