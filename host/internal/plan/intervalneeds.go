package plan

import (
	"math"

	"github.com/penstock-db/penstock/host/internal/report"
)

// sourceBytes is what a cell's list of sources takes for each, in a scratch file.
const sourceBytes = 4

// intervalNeeds is what state takes that is cut into intervals, whose cells have so many bytes of edges at most. Each
// source of a cell has an edge there.
func (p *Plan) intervalNeeds(edgeBytes uint64) *report.IntervalNeeds {
	v := p.Intervals
	edges, expected := uint64(0), 0.0
	for _, c := range p.Chunks {
		edges += c.Info.Edges
		expected += expectedSources(c.Info.Rows.Count, c.Info.Edges, v.Count)
	}
	n := &report.IntervalNeeds{Count: v.Count, Vertices: v.Vertices, Sources: sourceBytes * edges, Whole: v.Whole}
	n.Cells = uint64(v.Count) + edges/v.Vertices
	n.State = p.Moved(n.Cells, edges)
	n.Scratch = v.Scratch + edgeBytes + n.Sources
	n.Expected.Cells = max(uint64(v.Count), uint64(expected)/v.Vertices+uint64(v.Count)/2) // the last of a column is half full
	n.Expected.State = p.Moved(n.Expected.Cells, uint64(expected))
	n.Expected.Edges = listBytes*uint64(p.expectedLists(expected)) + p.Sizes().Entry()*edges +
		n.Expected.Cells*p.Sizes().PartRoom()
	return n
}

// Moved is the bytes of state that go to the device and back in an iteration, with so many cells that have so many
// sources, all active.
func (p *Plan) Moved(cells, sources uint64) (bytes uint64) {
	v, all := p.Intervals, p.Graph.Manifest().Vertices
	for i, c := range v.Inputs.Columns {
		bytes += Width(c.Type) * all
		if i >= p.Inputs() {
			bytes += Width(c.Type) * all // comes back
		}
	}
	sets := cells*v.Vertices/8 + 8*((all+setWord-1)/setWord)
	return bytes + sets + v.Program.sent(v.Cell)*sources
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
func (p *Plan) expectedLists(sources float64) float64 {
	if p.Kernel.ActiveRows {
		return sources
	}
	lists, cells := 0.0, max(1, int(sources/float64(p.Intervals.Vertices))/p.Intervals.Count)
	for _, c := range p.Chunks {
		lists += expectedSources(c.Info.Rows.Count, c.Info.Edges, max(2, cells))
	}
	return lists
}
