package sharing

import (
	"time"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
)

// Input gives all devices other rows of an input: those of their intervals, and of the far ends of their edges. Numbers
// has a row of each vertex.
func (r *Runner) Input(name string, numbers []float32) {
	began, all := time.Now(), uint64(0)
	for _, d := range r.Devices {
		bytes := uint64(0)
		for end, at := range d.regions {
			if end == 0 || at != d.regions[0] {
				bytes += at.input(name, numbers)
			}
		}
		d.Spent.Sent(bytes, 0)
		all += bytes
	}
	r.Rec.Meter.Sent(all, 0)
	r.Rec.Trace.Stage("transfer", began, all)
}

// input gives a region other rows of an input.
func (r *region) input(name string, numbers []float32) (bytes uint64) {
	is := func(v *dataflow.Value) bool { return v.Op == dataflow.Input && v.Name == name }
	for v, to := range r.rows {
		if is(v) {
			bytes += 4 * uint64(copy(to.Numbers, numbers[r.of.Base*uint64(v.Width):r.of.End()*uint64(v.Width)]))
		}
	}
	for v, to := range r.far {
		if !is(v) {
			continue
		}
		width := uint64(v.Width)
		for i, u := range r.sources {
			bytes += 4 * uint64(copy(to[uint64(i)*width:], numbers[uint64(u)*width:(uint64(u)+1)*width]))
		}
	}
	return bytes
}
