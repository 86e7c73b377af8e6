// Package plan decides how a run is carried out, before anything of it runs: a request, what the manifest of a graph
// says and what devices say of themselves become a Plan, which running, estimating and explaining read.
//
//		Request ──Bind──▶ Computation ──Agree, with the devices──▶ Plan ──▶ Needs, Why, executors
//
//	 1. Bind resolves the request against the catalog of algorithms and the graph: parameters, columns, the program or
//	    procedure, the schedule (bind.go, sources.go, columns.go, property.go).
//	 2. Agree asks the devices, by a function that compiles a task, for what they need, and tries from the best way of running
//	    downward: all chunks on the device, parts that settle, iteration by iteration (agree.go).
//	 3. fit places the chunks in the arena, each at a place of its own or in slots through which they pass, or refuses a budget
//	    (fit.go; chunks.go, sizes.go and memory.go say how large everything is and where).
//
// Nothing here reads a chunk, touches the arena or starts a process.
package plan

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
)

// Plan says how a run is carried out. It is made by Agree, and does not change after that.
type Plan struct {
	Computation
	Graph     Graph
	Device    plugins.Description // of all devices together
	Devices   int
	Budget    uint64 // of each device
	Kernel    plugins.Plan
	Chunks    []Chunk
	Fit       Fit
	Streaming Streaming
	Settling  bool   // by Settle, not by Step and Apply
	Nearest   bool   // and that in the order of values (nearest.go)
	Unsettled string // why parts of the graph do not settle, though the schedule would have them, or not in another order
	Unordered Unordered
	Unsorted  Unordered // why lists do not come in topological order, though the program would have them so
	// Spared is how many bytes less the device takes than it would, if all chunks were on it.
	Spared uint64
	Raised uint64 // how far the budget is above the default, so that the state is not cut into intervals
	// Core is there where two devices have a part of the edges each.
	Core *report.CoreReport
	// Intervals is there where the state of vertices does not fit the device.
	Intervals *Intervals
}

// Streaming is what the schedule needs of a run that streams.
type Streaming struct {
	Degrees bool // those of active vertices are looked at, and lists may be cut
	Grid    bool // chunks are cut by columns, and the schedule is told what each group of loads took
	Queue   bool // chunks of high value stay, and are gone through again while others come
	Files   bool // chunks may be read in the store's files
	// Priority: of the active vertices those send first that have the best values. The host reads the values
	// in the arena, so that the device must keep them there.
	Priority bool
}

// MayCut tells whether chunks can be cut in any way without changing a result by a bit. Of
// rows that pull sums, parts would be added up in another order; pushed, each vertex still
// adds up its messages in the order of their senders.
func (p *Plan) MayCut() bool { return p.AnyOrder() || p.Kernel.ActiveRows }

// AnyOrder tells whether messages may come in any order: whether none are added up or multiplied.
func (c Computation) AnyOrder() bool {
	if c.Task.Program == nil {
		return true // lists are put together before they are looked at
	}
	reduce := c.Task.Program.Reduce
	return reduce != algorithms.Sum && reduce != algorithms.Prod
}

// Stays tells whether vertices that no message reaches stay as they are, and are not active.
func (c Computation) Stays() bool {
	p := c.Task.Program
	applies := func(s algorithms.State) bool { return s.Apply.Source != "" }
	return c.AnyOrder() && p.Activity == algorithms.Changed && !slices.ContainsFunc(p.State, applies)
}

// Bound is how many iterations there may be.
func (p *Plan) Bound() int { return p.Task.Program.Bound(p.Graph.Manifest().Vertices) }

// Numbers are the numbers of all chunks.
func (p *Plan) Numbers() []int {
	all := make([]int, len(p.Chunks))
	for i := range all {
		all[i] = i
	}
	return all
}

// Sizes of what is cut out of the chunks.
func (p *Plan) Sizes() Sizes { return p.Computation.Sizes(p.Graph.Manifest()) }

// ScheduleName is what reports call the schedule.
func (p *Plan) ScheduleName() string {
	if p.Fit.Resident {
		return ResidentSchedule
	}
	return p.Schedule.Name
}

// streaming says what the schedule needs of this plan.
func (p *Plan) streaming() Streaming {
	needs := p.Schedule.Needs
	if p.Fit.Resident || p.Task.Passes {
		return Streaming{Files: true}
	}
	return Streaming{
		Degrees: p.Kernel.ActiveRows && (needs.Demand || p.Request.Accounting),
		Grid:    needs.Grid,
		Queue:   p.Settling && needs.Queue,
		Files:   needs.Demand,

		Priority: p.prioritizes(),
	}
}

// prioritizes tells whether active vertices may wait for nearer ones: by a schedule that says so, in programs
// that settle and keep the best message, and where the device's state is the arena's. A device behind a
// link of its own does not keep the arena's columns up to date; CUDA devices are such ones.
func (p *Plan) prioritizes() bool {
	if p.Nearest {
		return true
	}
	if p.Schedule.NearRoom == 0 || !p.Settling || !p.Kernel.ActiveRows || p.Device.LinkBandwidth > 0 {
		return false
	}
	program, first := p.Task.Program, p.Task.Program.State[0]
	return program.Order == algorithms.Monotone && (program.Reduce == algorithms.Min ||
		program.Reduce == algorithms.Max) &&
		(first.Type == algorithms.Float || first.Type == algorithms.Int)
}

// CheckAccounting says why there is nothing to account for, with a *RequestError.
func (p *Plan) CheckAccounting() error {
	switch {
	case !p.Request.Accounting:
		return nil
	case p.Fit.Resident:
		return &RequestError{"there is nothing to account for: all chunks fit the device together; give less --device-memory"}
	case p.Intervals != nil:
		return &RequestError{"there is nothing to account for: the state does not fit, and cells of its intervals are sent whole; give more --device-memory"}
	case !p.Kernel.ActiveRows:
		return &RequestError{"there is nothing to account for: what this run sends does not depend on which lists have an active vertex; use schedule subway, with --synchronous if need be"}
	}
	return nil
}

// unsettled says why parts of the graph are not brought to local convergence.
type unsettled struct {
	reason string
	over   *BudgetError // nil: the budget would do for the state beside a piece of a chunk
	need   uint64       // the budget with which they might be; 0: with none
}

func (u *unsettled) Error() string { return u.reason }

// neverSettles says why parts of the graph cannot be brought to local convergence, as far
// as that is known without the device.
func (t Terms) neverSettles(c Computation) string {
	switch order, needs := c.Task.Program.Order, c.Schedule.Needs; {
	case t.Unsettled != "":
		return t.Unsettled
	case t.Devices > 1 && (needs.Queue || order != algorithms.Monotone && !c.tellsReleased()):
		return "several devices exchange state after every iteration"
	case t.Devices > 1 && order == algorithms.Accumulative && c.Task.Restorable:
		return "what has arrived, and waits to be sent on, would be lost between two sessions"
	case needs.Settle == schedule.Weighted && order == algorithms.Monotone && len(c.EdgeNames) == 0:
		return "without weights, to go by levels or to join components at once is less work than to settle"
	case c.Request.Synchronous || needs.Settle == schedule.Never:
		return "every iteration is to end before the next begins"
	case order == algorithms.Synchronous:
		return "it needs every message of an iteration before the next"
	case c.Edges == algorithms.BothSides && t.Graph.Manifest().Directed && !needs.Queue: // which pairs them
		return "messages go both ways along directed edges, which a vertex has in two chunks"
	}
	return ""
}

// tellsReleased tells whether devices can tell each other what a vertex has released.
func (c Computation) tellsReleased() bool {
	_, known := c.Task.Program.Released()
	return known
}
