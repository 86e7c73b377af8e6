package plan

import (
	"math"

	"github.com/penstock-db/penstock/host/internal/report"
)

// SourceBytes is what a cell's list of sources takes for each, in a scratch file.
const SourceBytes = 4

// intervalNeeds is what state takes that is cut into intervals, and the bytes of edges that cells have at most. Each
// source of a cell has an edge there, and so has each list.
func intervalNeeds(p *Plan) (n *report.IntervalNeeds, edgeBytes uint64) {
	v := p.Intervals
	edges, lists, expected := uint64(0), uint64(0), 0.0
	for _, c := range p.Chunks {
		edges += c.Info.Edges
		lists += min(c.Info.Edges, c.Info.Rows.Count*uint64(v.Count+1))
		expected += expectedSources(c.Info.Rows.Count, c.Info.Edges, v.Count)
	}
	edgeBytes = mostOfCells(p, edges, lists)
	n = &report.IntervalNeeds{Count: v.Count, Vertices: v.Vertices, Sources: SourceBytes * edges, Whole: v.Whole}
	n.Cells = uint64(v.Count) + edges/v.Vertices + v.own()
	n.State = Moved(p, n.Cells, edges)
	n.Scratch = v.Scratch + edgeBytes + n.Sources
	// The last cell of a column is half full.
	n.Expected.Cells = max(uint64(v.Count), uint64(expected)/v.Vertices+uint64(v.Count)/2) + v.own()
	n.Expected.State = Moved(p, n.Expected.Cells, uint64(expected))
	n.Expected.Edges = listBytes*uint64(expectedLists(p, expected)) + p.Sizes().Entry()*edges +
		n.Expected.Cells*p.Sizes().PartRoom()
	return n, edgeBytes
}

// own is how many cells there are of edges among an interval's own vertices.
func (v *Intervals) own() uint64 {
	if !v.Settles {
		return 0
	}
	return uint64(v.Count)
}

// MostHeld is up to where copies of chunks, and lists, wait for what comes to the same cells, so that less is in
// pieces.
func (f Fit) MostHeld() uint64 { return max(4<<20, 2*f.Capacity) }

// ListHeld is what a list takes that waits.
const ListHeld = 12

// mostOfCells is what cells take with so many edges, in so many lists. There is a piece, with a header, for each slot
// that is filled by half, each cell, and each time that what has been held is written, each column; that is at the end
// of each direction, and when there is too much.
func mostOfCells(p *Plan, edges, lists uint64) uint64 {
	v, room := p.Intervals, p.Sizes().PartRoom()
	bytes := listBytes*lists + p.Sizes().Entry()*edges
	if edges == 0 {
		return 0
	}
	written := 2 + (ListHeld*lists+p.Fit.All)/p.Fit.MostHeld()
	pieces := 2*bytes/(p.Fit.Capacity-room) + uint64(v.Count) + edges/v.Vertices + (written+2)*(uint64(v.Count)+v.own())
	return bytes + 2*listBytes*(edges/v.Vertices+written*uint64(v.Count)) + pieces*room
}

// Moved is the bytes of state that go to the device and back in an iteration, with so many cells that have so many
// sources, all active.
func Moved(p *Plan, cells, sources uint64) (bytes uint64) {
	v, all := p.Intervals, p.Graph.Manifest().Vertices
	for i, c := range v.Inputs.Columns {
		bytes += Width(c.Type) * all
		if i >= p.Inputs() {
			bytes += Width(c.Type) * all // comes back
		}
	}
	sets := cells*v.Vertices/8 + 8*((all+setWord-1)/setWord)
	return bytes + sets + v.Program.sent(v.Cells[0])*sources
}

// expectedSources is how many of the pairs of a row and an interval have an edge, if so many edges of so many rows lead
// to any vertex alike.
func expectedSources(rows, edges uint64, intervals int) float64 {
	if rows == 0 {
		return 0
	}
	return float64(rows) * float64(intervals) * -math.Expm1(float64(edges)/float64(rows)*math.Log1p(-1/float64(intervals)))
}

// expectedLists is how many lists cells have with so many sources. Where rows receive, a list is a destination's; it is
// cut where its sources are in several cells.
func expectedLists(p *Plan, sources float64) float64 {
	if p.Kernel.ActiveRows {
		return sources
	}
	lists, cells := 0.0, max(1, int(sources/float64(p.Intervals.Vertices))/p.Intervals.Count)
	for _, c := range p.Chunks {
		lists += expectedSources(c.Info.Rows.Count, c.Info.Edges, max(2, cells))
	}
	return lists
}
