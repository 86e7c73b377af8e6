package plan

import (
	"errors"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// nearest agrees on a run by which parts settle in the order of values, and each list is sent about once
// (plugins.ExtensionNearest); nil: there is none. That is for graphs that are deep: elsewhere most vertices are
// active at once, and few lists are sent before they are needed.
func (t Terms) nearest(c Computation) (*Plan, error) {
	if !t.ordersValues(c) {
		return nil, nil
	}
	c.Task.Settle, c.Task.Nearest, c.Task.ActiveRows = true, true, true
	p, err := t.attempt(c)
	var over *BudgetError
	switch {
	case errors.As(err, &over) || plugins.KindOf(err) == plugins.KindUnsupported:
		return nil, nil
	case err != nil || !p.Kernel.Nearest || len(p.Fit.Slots) == 0:
		return nil, err
	}
	if deep, err := t.Deep(p); !deep {
		return nil, err
	}
	return p, nil
}

// ordersValues tells whether parts may settle in the order of values, as far as that is known without the device.
func (t Terms) ordersValues(c Computation) bool {
	program := c.Task.Program
	return t.Deep != nil && c.Schedule.Needs.Nearest && t.Unsettled == "" && t.Devices == 1 &&
		t.Device.LinkBandwidth == 0 && !extension.Lacks(t.Device, plugins.ExtensionNearest) &&
		!c.Request.Synchronous && !c.Request.Accounting &&
		program.Order == algorithms.Monotone && (program.Reduce == algorithms.Min || program.Reduce == algorithms.Max) &&
		(c.Edges != algorithms.BothSides || !t.Graph.Manifest().Directed)
}

// nearestSlots is how many shipments of lists are on the device at once. With two the lists that are needed next and
// those that are just left behind have room; more let those stay longer that the front comes to late.
const nearestSlots = 4

// placeNearest makes slots for lists of the room beside the state, and a place for the set of those whose lists are
// there. Without room for slots there are none.
func (t Terms) placeNearest(p *Plan) {
	f, below := &p.Fit, Downward{t.Arena.Columns}
	f.Set = below.Place(wholePages(p.setBytes()))
	f.Set.Length = p.setBytes()
	room := p.Budget - p.Kernel.Fixed - min(p.setBytes(), p.Budget-p.Kernel.Fixed)
	f.Capacity = room / nearestSlots / arena.Align * arena.Align
	if f.Capacity < leastSlot || nearestSlots*wholePages(f.Capacity) > below.At {
		return
	}
	for i := range uint64(nearestSlots) {
		f.Slots = append(f.Slots, Slot{At: below.Place(wholePages(f.Capacity)), Part: uint32(uint64(len(p.Chunks)) + i)})
	}
	f.Used += p.setBytes() + nearestSlots*f.Capacity
	f.Arena += t.Arena.Columns - below.At
}
