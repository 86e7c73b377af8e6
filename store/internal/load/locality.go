package load

import (
	"slices"
	"sync/atomic"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/ordering"
)

// locality measures what an order does to memory, on some of the lists as they are
// written: how many cache lines of vertex values the neighbors in a list lie in. Where
// hubs, or communities, have consecutive ids they share lines.
type locality struct {
	stride        uint64   // of the vertices, one in so many is measured
	loaded        []uint32 // see places
	entries       atomic.Uint64
	lines, before atomic.Uint64 // before: had vertices kept the order of loading
}

// valuesInLine is how many values of eight bytes a cache line of 64 holds.
const valuesInLine = 8

// sampledLists is of how many vertices, evenly spread, the lists are measured.
const sampledLists = 1 << 14

func newLocality(p *places) *locality {
	return &locality{stride: max(p.count/sampledLists, 1), loaded: p.loaded}
}

// see measures the sampled lists of c. Of a directed graph those are the in-lists, which
// sums are gathered along.
func (m *locality) see(c *chunk.Chunk) {
	if c.Meta().Direction == chunk.Out {
		return
	}
	for v, list := range c.Lists() {
		if v%m.stride == 0 {
			m.add(list)
		}
	}
}

// add measures an ascending list.
func (m *locality) add(list []uint32) {
	m.entries.Add(uint64(len(list)))
	m.lines.Add(linesOf(list))
	if m.loaded == nil {
		m.before.Add(linesOf(list))
		return
	}
	before := ordering.Pick(m.loaded, list)
	slices.Sort(before)
	m.before.Add(linesOf(before))
}

// linesOf is how many cache lines the vertices of an ascending list lie in.
func linesOf(list []uint32) (lines uint64) {
	last := ordering.NoVertex
	for _, v := range list {
		if line := v / valuesInLine; line != last {
			last = line
			lines++
		}
	}
	return lines
}

// writeTo puts the means into o; a graph without edges has none.
func (m *locality) writeTo(o *manifest.Ordering) {
	if entries := float64(m.entries.Load()); entries > 0 {
		o.Lines, o.LinesBefore = float64(m.lines.Load())/entries, float64(m.before.Load())/entries
	}
}
