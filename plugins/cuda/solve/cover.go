package solve

import (
	"slices"
	"unsafe"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/cuda/driver"
	"github.com/penstock-db/penstock/plugins/cuda/kernels"
)

// cover says which chunks have rows of a vertex: those of the band that it is in.
type cover struct {
	chunks  []uint64 // where each lies
	bases   []uint64 // the first vertex of each band
	firsts  []uint64 // where each band's chunks begin in members
	members []uint64
}

func coverOf(chunks []kernels.Resident) *cover {
	c := &cover{bases: []uint64{0}}
	for _, r := range chunks {
		c.chunks = append(c.chunks, uint64(r.At))
		if r.Edges > 0 {
			c.bases = append(c.bases, r.Interval.Base, r.Interval.End())
		}
	}
	slices.Sort(c.bases)
	c.bases = slices.Compact(c.bases)
	c.fill(chunks)
	return c
}

// fill finds the chunks of each band, of which a chunk has all or nothing.
func (c *cover) fill(chunks []kernels.Resident) {
	bands := make([][]uint64, len(c.bases))
	for i, r := range chunks {
		if r.Edges == 0 {
			continue
		}
		own := c.bandsOf(r.Interval)
		for band := own.from; band < own.to; band++ {
			bands[band] = append(bands[band], uint64(i))
		}
	}
	for _, members := range bands {
		c.firsts = append(c.firsts, uint64(len(c.members)))
		c.members = append(c.members, members...)
	}
	c.firsts = append(c.firsts, uint64(len(c.members)))
}

// bands is [from, to) of the bands of a cover.
type bands struct{ from, to int }

// bandsOf are those of an interval at whose ends bands begin.
func (c *cover) bandsOf(i chunk.Interval) bands {
	from, _ := slices.BinarySearch(c.bases, i.Base)
	to, _ := slices.BinarySearch(c.bases, i.End())
	return bands{from, to}
}

// coverBytes is the room for a cover. A grid of chunks takes less than 64 bytes of it for each.
func coverBytes(vertices uint64) uint64 { return 64<<10 + vertices/4 }

// words is c as it lies on the card, at that place: the structure of solve_cover.cuh, and what it points to.
func (c *cover) words(at driver.Pointer) []uint64 {
	parts := [][]uint64{c.chunks, c.bases, c.firsts, c.members}
	places, next := make([]driver.Pointer, len(parts)), at+driver.Pointer(unsafe.Sizeof(kernels.Cover{}))
	for i, part := range parts {
		places[i] = next
		next += driver.Pointer(8 * len(part))
	}
	words := []uint64{uint64(len(c.chunks)), uint64(places[0]), uint64(len(c.bases)), uint64(places[1]), uint64(places[2]),
		uint64(places[3])}
	return append(words, slices.Concat(parts...)...)
}
