package shipment

import (
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/host/internal/plan"
)

// Unit is what a schedule decides on: the lists of an interval of vertices. It is a stored chunk, unless chunks are cut
// for a queue (plan.Fit.Cut): then it is what fits a slot, with all edges of each of its vertices. In a directed graph
// along whose edges messages go both ways these lie in two chunks, of which a unit has the same rows.
type Unit struct {
	Rows    chunk.Interval
	Edges   uint64
	Bytes   uint64 // of its lists
	Chunks  []int  // that these are in, of each direction one
	Whole   bool   // it is its only chunk, as that is stored
	degrees []uint32
}

// divide makes the units.
func (l *Loader) divide() {
	if l.Plan.Fit.Cut {
		l.Units = cutUnits(l.Plan, l.Degrees)
	} else {
		l.Units = wholeUnits(l.Plan, l.Degrees)
	}
	l.Sent = make([]uint64, len(l.Units))
}

// SendersOf are the vertices that may send along a unit's edges.
func (l *Loader) SendersOf(u Unit) []chunk.Interval {
	if u.Whole {
		return l.Plan.Chunks[u.Chunks[0]].Senders
	}
	return []chunk.Interval{u.Rows}
}

// Viewed tells whether all chunks that a unit's lists are in have a lasting view.
func (l *Loader) Viewed(number int) bool {
	return !slices.ContainsFunc(l.Units[number].Chunks, func(i int) bool { return !l.Supply.Viewed(i) })
}

// wholeUnits are the stored chunks.
func wholeUnits(p *plan.Plan, degrees map[chunk.Direction][]uint32) (all []Unit) {
	for i, c := range p.Chunks {
		all = append(all, Unit{Rows: c.Info.Rows, Edges: c.Info.Edges, Bytes: uint64(c.Size), Chunks: []int{i}, Whole: true,
			degrees: degrees[c.Info.Direction]})
	}
	return all
}

// cutUnits cuts chunks by rows, each unit as large as a slot holds, and none beyond the end of a chunk. Degrees of
// several directions are added up in the first. Vertices without edges may be in no unit.
func cutUnits(p *plan.Plan, degrees map[chunk.Direction][]uint32) (all []Unit) {
	total := addedUp(p, degrees)
	sizes, room := p.Sizes(), p.Fit.UnitRoom()
	for _, rows := range commonRows(p.Chunks) {
		u := Unit{Rows: chunk.Interval{Base: rows.Base}, Chunks: chunksOf(p.Chunks, rows), degrees: total}
		end := func(v uint64) {
			u.Rows.Count = v - u.Rows.Base
			if u.Edges > 0 {
				all = append(all, u)
			}
			u.Rows.Base, u.Edges, u.Bytes = v, 0, 0
		}
		for v := rows.Base; v < rows.End(); v++ {
			edges := uint64(total[v])
			if edges == 0 {
				continue
			}
			cost := sizes.ListsCost(len(u.Chunks), int(edges))
			if u.Bytes+cost > room {
				end(v)
			}
			u.Edges, u.Bytes = u.Edges+edges, u.Bytes+cost
		}
		end(rows.End())
	}
	return all
}

// addedUp adds the degrees of all directions up.
func addedUp(p *plan.Plan, degrees map[chunk.Direction][]uint32) []uint32 {
	total := degrees[p.Chunks[0].Info.Direction]
	for d, more := range degrees {
		if d != p.Chunks[0].Info.Direction {
			for v, n := range more {
				total[v] += n
			}
			degrees[d] = total
		}
	}
	return total
}

// commonRows are intervals none of which goes beyond the end of a chunk.
func commonRows(chunks []plan.Chunk) (all []chunk.Interval) {
	var ends []uint64
	for _, c := range chunks {
		ends = append(ends, c.Info.Rows.End())
	}
	slices.Sort(ends)
	base := uint64(0)
	for _, end := range slices.Compact(ends) {
		if end > base {
			all = append(all, chunk.Interval{Base: base, Count: end - base})
		}
		base = end
	}
	return all
}

// chunksOf are the chunks, one of each direction, that have these rows.
func chunksOf(chunks []plan.Chunk, rows chunk.Interval) (numbers []int) {
	for i, c := range chunks {
		if c.Info.Rows.Base <= rows.Base && rows.End() <= c.Info.Rows.End() {
			numbers = append(numbers, i)
		}
	}
	return numbers
}
