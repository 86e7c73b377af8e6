package plan

import (
	"os"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// Placer puts ranges one after the other, each at a multiple of arena.Align.
type Placer struct{ Used uint64 }

// Place takes the next range.
func (p *Placer) Place(bytes uint64) arena.Range {
	at := arena.Range{Offset: p.Used, Length: bytes}
	p.Used = Aligned(at.End())
	return at
}

// Aligned is n up to the next multiple of arena.Align.
func Aligned(n uint64) uint64 { return (n + arena.Align - 1) / arena.Align * arena.Align }

// Layout places the vertex columns, then the active set.
func (p *Placer) Layout(columns []algorithms.Column, vertices uint64) plugins.Layout {
	var l plugins.Layout
	for _, c := range columns {
		at := p.Place(c.Count(vertices) * Width(c.Type))
		l.Columns = append(l.Columns, plugins.VertexColumn{Column: c, Range: at})
	}
	l.Active = p.Place(BitmapBytes(vertices))
	return l
}

// BitmapBytes is what a set of vertices takes.
func BitmapBytes(vertices uint64) uint64 { return (vertices + 63) / 64 * 8 }

// Width is the bytes a value takes in a vertex column.
func Width(t algorithms.Type) uint64 {
	if t == algorithms.Bool {
		return 1
	}
	return 8
}

// Layouts are the vertex columns of each of several devices, one after the other from an offset of the arena, and where
// they end.
func Layouts(columns []algorithms.Column, vertices uint64, devices int, from uint64) (all []plugins.Layout,
	end uint64) {
	p := Placer{Used: from}
	for range devices {
		all = append(all, p.Layout(columns, vertices))
	}
	return all, p.Used
}

// Layouts are the vertex columns of each of several devices, and rows, which procedures have on one.
func (c Computation) Layouts(vertices uint64, devices int, from uint64) (all []plugins.Layout, end uint64) {
	all, end = Layouts(c.LaneColumns(), vertices, devices, from)
	p := Placer{Used: end}
	for _, r := range c.Rows {
		all[0].Rows = append(all[0].Rows, plugins.VertexRows{Rows: r, Range: p.Place(4 * r.Count(vertices))})
	}
	return all, p.Used
}

// Downward places ranges one below the other.
type Downward struct{ At uint64 }

// Place takes the next range.
func (d *Downward) Place(bytes uint64) arena.Range {
	d.At -= bytes
	return arena.Range{Offset: d.At, Length: bytes}
}

// SlotBytes is so much that a chunk of this size can be read in place past the system's
// cache, in each of several slots that follow each other.
func SlotBytes(size uint64) uint64 { return wholePages(size + store.UncachedRoom) }

// slotRoom is the largest chunk whose SlotBytes are so many, at most.
func slotRoom(bytes uint64) uint64 {
	page := uint64(os.Getpagesize())
	return bytes/page*page - store.UncachedRoom
}

func wholePages(bytes uint64) uint64 {
	page := uint64(os.Getpagesize())
	return (bytes + page - 1) / page * page
}
