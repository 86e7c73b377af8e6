package plan

import (
	"errors"
	"fmt"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// nearest agrees on a run by which parts settle in the order of values, and each list is sent about once
// (plugins.ExtensionNearest), where the schedule has it so; else it says why there is none. That is for graphs that are
// deep: elsewhere most vertices are active at once, and few lists are sent before they are needed.
func (t Terms) nearest(c Computation) (*Plan, Unordered, error) {
	if !c.Schedule.Needs.Nearest {
		return nil, Unordered{}, nil
	}
	if cause := t.unordered(c); cause != Ordered {
		return nil, Unordered{Cause: cause}, nil
	}
	c.Task.Settle, c.Task.Nearest, c.Task.ActiveRows = true, true, true
	p, err := t.attempt(c)
	var over *BudgetError
	switch {
	case errors.As(err, &over):
		return nil, Unordered{StateTooLarge, over.Need, over.Have}, nil
	case plugins.KindOf(err) == plugins.KindUnsupported:
		return nil, Unordered{Cause: NeverSettles}, nil
	case err == nil && !p.Kernel.Nearest:
		return nil, Unordered{Cause: OtherProgram}, nil
	case err != nil:
		return nil, Unordered{}, err
	case len(p.Fit.Slots) == 0:
		return nil, Unordered{SlotsTooSmall, ringSlots(p) * leastSlot, besideState(p)}, nil
	}
	if why, err := t.Deep(p); why.Cause != Ordered || err != nil {
		return nil, why, err
	}
	return p, Unordered{}, nil
}

// topological agrees on a run by which lists come in topological order, and parts settle; else it says why there is
// none. That is for programs which the device does not settle elsewhere, or has refused to as it met an edge that makes
// values better: around a cycle they would get better for ever, and sums would grow. In that order there is no cycle,
// and the device is not told of any. Whether the graph has such an order is found out by the run (package
// execute/topological), which starts again iteration by iteration if it has none, or ends, of a sum.
func (t Terms) topological(c Computation) (*Plan, Unordered, error) {
	program := c.Task.Program
	if t.Sorted || program.Diverged == "" || program.Order != algorithms.Monotone && !addsUp(program) {
		return nil, Unordered{}, nil
	}
	switch {
	case t.Devices > 1 && c.Task.Restorable:
		return nil, Unordered{Cause: StateKept}, nil
	case !t.Graph.Manifest().Directed || c.Edges == algorithms.BothSides:
		return nil, Unordered{Cause: EdgesAreCycles}, nil
	case t.AtHand == nil:
		return nil, Unordered{Cause: NotLooked}, nil
	}
	acyclic := *program
	acyclic.Diverged = ""
	c.Task.Program, c.Task.Settle, c.Task.ActiveRows, c.Topological = &acyclic, true, true, true
	p, err := t.attempt(c)
	var over *BudgetError
	switch {
	case errors.As(err, &over):
		return nil, Unordered{StateTooLarge, over.Need, over.Have}, nil
	case plugins.KindOf(err) == plugins.KindUnsupported:
		return nil, Unordered{Cause: NeverSettles}, nil
	case err != nil:
		return nil, Unordered{}, err
	case !p.Kernel.Settles || !p.Kernel.ActiveRows || len(p.Kernel.Directions) > 1:
		return nil, Unordered{Cause: NeverSettles}, nil
	case len(p.Fit.Slots) == 0:
		return nil, Unordered{SlotsTooSmall, ringSlots(p) * leastSlot, besideState(p)}, nil
	}
	if why, err := t.AtHand(p); why.Cause != Ordered || err != nil {
		return nil, why, err
	}
	p.Task.Program, p.Unsettled = program, t.Unsettled
	return p, Unordered{}, nil
}

// addsUp tells whether all vertices of a program send sums, until nothing changes.
func addsUp(p *algorithms.Program) bool {
	return p.Order == algorithms.Synchronous && p.Reduce == algorithms.Sum && p.Activity == algorithms.Always &&
		!p.Exactly && p.MaxIterations == 0
}

// unordered says why parts may not settle in the order of values, as far as that is known without the device.
func (t Terms) unordered(c Computation) Cause {
	program := c.Task.Program
	switch {
	case t.Device.LinkBandwidth > 0:
		return BehindLink
	case extension.Lacks(t.Device, plugins.ExtensionNearest):
		return DeviceLacks
	case c.Request.Synchronous:
		return InStep
	case c.Request.Accounting:
		return Accounted
	case program.Order != algorithms.Monotone || program.Reduce != algorithms.Min && program.Reduce != algorithms.Max:
		return NoBestValue
	case c.Edges == algorithms.BothSides && t.Graph.Manifest().Directed:
		return BothWays
	case t.Unsettled != "":
		return SettledBadly
	case t.Deep == nil:
		return NotLooked
	}
	return Ordered
}

// Unordered is why parts do not settle in the order of values, though the schedule would have them so on a deep graph;
// or in topological order, though the program would.
type Unordered struct {
	Cause      Cause
	Need, Have uint64 // of causes that compare two numbers
}

// Cause is what is in the way of an order of values.
type Cause uint8

// What Unordered can be due to.
const (
	Ordered        Cause = iota // to nothing: parts settle so, or the schedule never has it so
	SettledBadly                // an earlier attempt
	BehindLink                  // the device's state is not the arena's
	DeviceLacks                 // the extension
	InStep                      // iterations, as was asked for
	Accounted                   // each iteration is, as was asked for
	NoBestValue                 // the program does not keep the least or the greatest
	BothWays                    // a vertex has its edges in two chunks
	NotLooked                   // the host cannot look at lists
	NeverSettles                // the program, on the device
	OtherProgram                // the device orders others
	StateTooLarge               // bytes: the least budget, and the budget
	SlotsTooSmall               // bytes: of all of the least slots, and what is left beside the state
	Scarce                      // memory: chunks are read again each time
	SmallChunks                 // bytes: of chunks that lie in no file, and of copies that stay
	LongList                    // bytes: of the longest, and of a slot
	FewLevels                   // edges: so many are soon looked at
	SmallParts                  // searches end
	StateKept                   // of several devices, none of which knows it all between two iterations
	EdgesAreCycles              // each goes both ways
)

// String says it in a sentence's part.
func (u Unordered) String() string {
	texts := map[Cause]string{
		SettledBadly:  "parts have failed to settle",
		BehindLink:    "the host does not see the values of a device behind a link",
		DeviceLacks:   "the device cannot settle in the order of values",
		InStep:        "--synchronous asks for iterations in step",
		Accounted:     "--accounting looks at every iteration",
		NoBestValue:   "the program does not keep the least or the greatest message",
		BothWays:      "messages go both ways along directed edges, which a vertex has in two chunks",
		NotLooked:     "lists are not looked at beforehand",
		NeverSettles:  "the device does not settle parts of this program",
		OtherProgram:  "on the device, values of this program have no such order",
		StateTooLarge: "state and heap need %d bytes, the budget is %d",
		SlotsTooSmall: "slots for lists need %d bytes, %d are left beside the state",
		Scarce:        "the graph takes more than half of the memory, so that chunks do not stay at hand",
		SmallChunks:   "chunks of %d bytes lie in no file of their own, copies of %d stay at hand",
		LongList:      "the longest list takes %d bytes, a slot has %d",
		FewLevels: "the graph is not deep: a few levels of a breadth-first search have more than the %d edges that " +
			"a slot holds",
		SmallParts:     "the graph is not deep: all breadth-first searches that were tried end early",
		StateKept:      "state is to be kept, which none of several devices has whole",
		EdgesAreCycles: "messages go both ways along each edge, which is a cycle",
	}
	switch text := texts[u.Cause]; u.Cause {
	case StateTooLarge, SlotsTooSmall, SmallChunks, LongList:
		return fmt.Sprintf(text, u.Need, u.Have)
	case FewLevels:
		return fmt.Sprintf(text, u.Have)
	default:
		return text
	}
}

// causes is what Why says of both.
func causes(p *Plan) (clauses string) {
	if p.Unordered.Cause != Ordered {
		clauses = "; not nearest first: " + p.Unordered.String()
	}
	if p.Unsorted.Cause != Ordered {
		clauses += "; not in topological order: " + p.Unsorted.String()
	}
	return clauses
}

// byLists tells whether lists of edges come one by one, in an order of their own.
func byLists(p *Plan) bool { return p.Nearest || p.Topological }

// ringSlots is how many shipments of lists have room at once. Where they come as they are needed two would do for the
// lists that are needed next and those that are just left behind; more let those stay longer that the front comes to
// late. In topological order each is needed once: one is on the device, and the next is put together.
func ringSlots(p *Plan) uint64 {
	if p.Topological {
		return 2
	}
	return 4
}

// placeRing makes slots for lists of the room beside the state, and a place for the set of those whose lists are
// there. Without room for slots there are none.
func placeRing(t Terms, p *Plan) {
	f, below := &p.Fit, Downward{t.Arena.Columns}
	f.Set = below.Place(wholePages(p.setBytes()))
	f.Set.Length = p.setBytes()
	f.Capacity = besideState(p) / ringSlots(p) / arena.Align * arena.Align
	if f.Capacity < leastSlot || ringSlots(p)*wholePages(f.Capacity) > below.At {
		return
	}
	for i := range ringSlots(p) {
		f.Slots = append(f.Slots, Slot{At: below.Place(wholePages(f.Capacity)), Part: uint32(uint64(len(p.Chunks)) + i)})
	}
	f.Used += p.setBytes() + ringSlots(p)*f.Capacity
	f.Arena += t.Arena.Columns - below.At
}

// besideState is what the budget has beside the state and the set of a Settle.
func besideState(p *Plan) uint64 {
	room := p.Budget - p.Kernel.Fixed
	return room - min(p.setBytes(), room)
}
