package plan

import (
	"fmt"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/report"
)

// Needs is what a run by this plan takes.
func (p *Plan) Needs() report.Needs {
	n := report.Needs{
		Schedule: p.ScheduleName(), Why: p.Why(), Kernel: p.Kernel.Kernel, Chunks: len(p.Chunks),
		PerIteration: !p.Fit.Resident,
		Host:         p.Fit.Arena, Device: p.Fit.Used, State: p.Kernel.Fixed, Budget: p.Budget,
		Minimum: p.Fit.Minimum, Resident: p.Fit.Together, Core: p.Core,
	}
	n.Sums = readForSums(p)
	for i, c := range p.Chunks {
		readings := p.cells() // of a chunk in an iteration, at most: for each cell, or each unit of a queue
		if p.Fit.Cut {
			readings = p.Fit.unitsOf(c, p.Chunks)
		}
		n.Disk += readings * uint64(c.Info.Bytes)
		if p.Intervals != nil {
			continue
		}
		n.Transfer += p.mostSent(c)
		if !p.Fit.Resident && (p.Kernel.ActiveRows || p.Schedule.Needs.Grid || c.Device > p.Fit.Capacity) {
			n.Disk += p.mostSent(c) // what is cut out is read again
		}
		if i < p.Fit.Kept {
			n.Stays += uint64(c.Size)
		}
	}
	if byLists(p) {
		n.Transfer = min(n.Transfer, p.Fit.Capacity)
	}
	if p.Intervals != nil {
		n.Intervals, n.Transfer = intervalNeeds(p)
		n.Disk += n.Transfer
	}
	if p.Divides() {
		n.Forwarded, n.Exchanged = p.overlaps(), uint64(p.Devices-1)*p.StateBytes()
		if p.Settling {
			n.Exchanged += uint64(p.Devices-1) * 4 * p.Graph.Manifest().Vertices // their numbers; each time that they meet
		}
		if p.Kernel.Joins { // there and back
			n.Exchanged *= 2
		}
	}
	return n
}

// readForSums is what is read to add up edge properties for each vertex: all lists, with the property, each time.
func readForSums(p *Plan) (bytes uint64) {
	for _, in := range p.Properties {
		if in.Sums == "" {
			continue
		}
		for _, c := range p.Graph.Chunks(chunk.Out) {
			bytes += uint64(c.Topology)
			for _, column := range c.Columns {
				if column.Name == in.Sums {
					bytes += uint64(column.Bytes)
				}
			}
		}
	}
	return bytes
}

// mostSent is what the devices are given of a chunk in an iteration, at most. Each of its pieces
// has a header, and may have a list of each vertex, of 8 bytes and its edges; and so has the part of it that is a
// device's.
func (p *Plan) mostSent(c Chunk) uint64 {
	f, partRoom := p.Fit, p.Sizes().PartRoom()
	pieces, lists := p.cells(), uint64(c.Size)+4*c.Info.Rows.Count
	if pieces > 1 {
		lists += pieces * 8 * c.Info.Rows.Count
	}
	if c.Device > f.Capacity || pieces > 1 && lists+partRoom > f.Capacity { // so are two pieces more than one slot holds
		pieces += 2 * lists / (max(f.Capacity, partRoom+1) - partRoom)
	}
	if f.Tile > 0 { // or than one tile
		pieces += 1 + 2*lists/f.TileRoom()
	}
	if f.Cut { // in units, each in a chunk of either direction, whose tiles may be part-filled
		pieces += f.unitsOf(c, p.Chunks)
		lists += listBytes * c.Info.Rows.Count
	}
	divided := uint64(0)
	if p.Divides() {
		divided = uint64(p.Devices) * (8*c.Info.Rows.Count + pieces*(partRoom+partHeader))
	}
	if f.Resident || pieces == 1 {
		return uint64(c.Size) + divided
	}
	return lists + pieces*partRoom + divided
}

// cells is into how many parts a schedule with a grid cuts a chunk by columns, at most: as many as
// there are strips of rows, two of which, one after the other, are more than the slots hold.
func (p *Plan) cells() uint64 {
	slots := uint64(len(p.Fit.Slots)) * p.Fit.Capacity
	if !p.Schedule.Needs.Grid || p.Fit.Resident || p.Intervals != nil || slots == 0 {
		return 1
	}
	return 1 + 2*p.Fit.All/slots
}

// Why says how the run is carried out, why so, and what it does without.
func (p *Plan) Why() string { return way(p) + without(p.Spared) + raisedBy(p.Raised) }

// way says how the run is carried out, and why so.
func way(p *Plan) string {
	switch {
	case p.Core != nil:
		return p.whyCore()
	case p.Intervals != nil && p.Unsettled != "":
		return p.Intervals.why(p.Graph.Manifest().Vertices) + "; iteration by iteration: " + p.Unsettled
	case p.Intervals != nil:
		return p.Intervals.why(p.Graph.Manifest().Vertices)
	case p.Fit.Resident:
		return "all chunks fit the budget"
	case p.Schedule.Needs.Streams:
		return "chunks come again in each iteration, as the schedule says"
	case p.Task.Passes:
		return "not all chunks fit the budget: in passes, each with the lists of some vertices"
	case p.Nearest:
		return "not all chunks fit the budget, and the graph is deep: " + unlessGained(p) +
			"lists come as they are needed, and settle the best values first"
	case p.Topological:
		return "not all chunks fit the budget: unless a cycle is reached, lists come in topological order, each once, and settle" +
			otherwise(p)
	case p.Settling:
		return "not all chunks fit the budget: " + unlessGained(p) + "parts of the graph are brought to local convergence" + causes(p)
	case p.Unsettled != "":
		return "not all chunks fit the budget; iteration by iteration: " + p.Unsettled + causes(p)
	}
	return "not all chunks fit the budget" + causes(p)
}

// unlessGained says what ends an attempt, where weights decide whether edges make values better.
func unlessGained(p *Plan) string {
	if p.Task.Program.Diverged == "" {
		return ""
	}
	return "unless an edge makes values better, "
}

// otherwise says why parts do not settle in another order, where that was tried.
func otherwise(p *Plan) string {
	if p.Unsettled == "" {
		return ""
	}
	return "; in no other order: " + p.Unsettled
}

// whyCore says how the core was chosen, and how the devices work together.
func (p *Plan) whyCore() string {
	way := "both devices in step"
	if p.Settling {
		way = "each device by itself"
	}
	return fmt.Sprintf("split: the core is %s, %d of %d vertices with %d edges inside, %.3g%% of its matrix; %s",
		p.Core.Rule, p.Core.Vertices, p.Graph.Manifest().Vertices, p.Core.Edges, 100*p.Core.Density, way)
}
