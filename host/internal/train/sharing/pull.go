package sharing

import (
	"time"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
)

// stored is where the rows of a value are, and which they are.
type stored struct {
	end     dataflow.End // of the stage
	version int
}

// pull gives a device the rows that a stage reads, as far as they have been stored since it had them.
func (r *Runner) pull(d *Device, s *grid.Stage) {
	began, to, bytes := time.Now(), d.regions[s.End], uint64(0)
	for _, v := range s.Near {
		if at := r.stored[v]; at.version > to.near[v] && d.regions[at.end] != to {
			bytes += r.pullNear(d, to, v, at.end)
			to.near[v] = at.version
		}
	}
	for wave := range s.Waves {
		for _, v := range s.Far[wave] {
			if at := r.stored[v]; at.version > to.has[v] {
				bytes += r.pullFar(d, to, v, at.end)
				to.has[v] = at.version
			}
		}
	}
	if d.Pulled += bytes; bytes > 0 {
		r.Rec.Meter.Exchanged(bytes)
		r.Rec.Trace.Stage("exchange", began, bytes)
	}
}

// pullNear copies the rows of a device's interval, from the intervals at another end, and tells how many bytes of them
// other devices had.
func (r *Runner) pullNear(d *Device, to *region, v *dataflow.Value, end dataflow.End) (bytes uint64) {
	for k, of := range r.Layout.Columns[end] {
		base, last := max(of.Base, to.of.Base), min(of.End(), to.of.End())
		if base >= last {
			continue
		}
		from := r.Devices[k].regions[end].rows[v].Numbers
		n := copy(to.rows[v].Numbers[(base-to.of.Base)*uint64(v.Width):(last-to.of.Base)*uint64(v.Width)],
			from[(base-of.Base)*uint64(v.Width):])
		if k != d.number {
			bytes += 4 * uint64(n)
		}
	}
	return bytes
}

// pullFar copies the rows of the far ends of a device's edges, and tells how many bytes of them other devices had.
func (r *Runner) pullFar(d *Device, to *region, v *dataflow.Value, end dataflow.End) (bytes uint64) {
	rows, width, columns, k := to.far[v], uint64(v.Width), r.Layout.Columns[end], 0
	from := r.Devices[k].regions[end].rows[v].Numbers
	for i, u := range to.sources {
		for uint64(u) >= columns[k].End() {
			k++
			from = r.Devices[k].regions[end].rows[v].Numbers
		}
		at := (uint64(u) - columns[k].Base) * width
		copy(rows[uint64(i)*width:(uint64(i)+1)*width], from[at:at+width])
		if k != d.number {
			bytes += 4 * width
		}
	}
	return bytes
}
