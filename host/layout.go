package host

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// placer puts ranges one after the other, each at a multiple of arena.Align.
type placer struct{ used uint64 }

func (p *placer) place(bytes uint64) arena.Range {
	at := arena.Range{Offset: p.used, Length: bytes}
	p.used = aligned(at.End())
	return at
}

func aligned(n uint64) uint64 { return (n + arena.Align - 1) / arena.Align * arena.Align }

// layout places the vertex columns, then the active set.
func (p *placer) layout(columns []algorithms.Column, vertices uint64) plugins.Layout {
	var l plugins.Layout
	for _, c := range columns {
		l.Columns = append(l.Columns, plugins.VertexColumn{Column: c, Range: p.place(vertices * width(c.Type))})
	}
	l.Active = p.place(bitmapBytes(vertices))
	return l
}

// bitmapBytes is what a set of vertices takes.
func bitmapBytes(vertices uint64) uint64 { return (vertices + 63) / 64 * 8 }

// width is the bytes a value takes in a vertex column.
func width(t algorithms.Type) uint64 {
	if t == algorithms.Bool {
		return 1
	}
	return 8
}
