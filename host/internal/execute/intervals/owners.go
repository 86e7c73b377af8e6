package intervals

import (
	"sync/atomic"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/plan"
)

// owner is a device, the columns of the grid that are its own, and what it is at.
type owner struct {
	*grid
	*session
	device execute.Device
	mine   []int // columns, in ascending order
	slots  []plan.Slot
	free   chan int // slots
	ids    []byte   // of sources, as they are read

	underway
	settling
	ahead  ahead // what has been found out of the next column
	counts counts
	copied atomic.Uint64 // bytes of state, by the device
}

// newOwners divides the columns among devices.
func newOwners(g *grid, devices []execute.Device) (all []*owner, err error) {
	for i, columns := range g.columnsOf(len(devices)) {
		o := &owner{grid: g, device: devices[i], mine: columns, slots: g.Plan.Intervals.SlotsOf(i, g.Plan.Fit),
			ids: make([]byte, plan.SourceBytes*g.each)}
		if o.session, err = newSession(g.Plan.Intervals.Cells[i], g.Arena()); err != nil {
			return nil, err
		}
		if o.settling, err = newSettling(g, i, o.slots); err != nil {
			return nil, err
		}
		o.free = make(chan int, len(o.slots))
		for k := range o.slots {
			o.free <- k
		}
		all = append(all, o)
	}
	return all, nil
}

// columnsOf are those of each of so many devices.
func (g *grid) columnsOf(devices int) (all [][]int) {
	all = make([][]int, devices)
	first := 0
	for i, end := range divide(g.weights(), devices) {
		for ; first < end; first++ {
			all[i] = append(all[i], first)
		}
	}
	return all
}

// weights are what an iteration with all vertices active gives a device of each column: edges, and state.
func (g *grid) weights() (all []uint64) {
	for j, column := range g.cells.columns {
		weight := g.bytes(g.interval(j))
		for _, cell := range column {
			weight += cell.edges + g.sourceBytes()*cell.count
		}
		all = append(all, weight)
	}
	return all
}

// divide gives each of several owners columns that follow each other and weigh about as much as those of the others, as
// long as there are enough, one at least. It tells where those of each end.
func divide(weights []uint64, owners int) (ends []int) {
	var all, sum uint64
	for _, w := range weights {
		all += w
	}
	end := 0
	for i := 1; i <= owners; i++ {
		last := len(weights) - (owners - i) // those after it have one each
		for first := end; end < last; end++ {
			w := weights[end]
			// A column goes to whom it brings nearer to an equal share.
			if i < owners && end > first && (2*sum+w)*uint64(owners) > 2*all*uint64(i) {
				break
			}
			sum += w
		}
		ends = append(ends, end)
	}
	return ends
}

// share is how many vertices an owner's columns have, and the first of them.
func (o *owner) share() (all chunk.Interval) {
	for k, j := range o.mine {
		i := o.interval(j)
		if k == 0 {
			all.Base = i.Base
		}
		all.Count += i.Count
	}
	return all
}

// counts are what a device has been given.
type counts struct {
	EdgeBytes                                  uint64 // see report.IntervalsReport
	Pieces, Skipped, Commands, Messages, Ahead int
	Settled, Rounds                            int
}

func (c counts) plus(d counts) counts {
	return counts{c.EdgeBytes + d.EdgeBytes, c.Pieces + d.Pieces, c.Skipped + d.Skipped, c.Commands + d.Commands,
		c.Messages + d.Messages, c.Ahead + d.Ahead, c.Settled + d.Settled, c.Rounds + d.Rounds}
}
