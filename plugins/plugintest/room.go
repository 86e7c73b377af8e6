package plugintest

import (
	"slices"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/kit"
)

// room says where a session's data lies in an arena.
type room struct {
	layout plugins.Layout // vertex columns, active set
	at     []arena.Range  // of each chunk, or slots
	set    arena.Range    // the bitmap of a Settle, or of the vertices that a part concerns
	told   arena.Range    // a column of accumulators
	end    uint64         // of what it takes
}

// next takes a range.
func (p *room) next(length uint64) arena.Range {
	at := arena.Range{Offset: p.end, Length: length}
	p.end = (at.End() + arena.Align - 1) / arena.Align * arena.Align
	return at
}

// place finds room for some work on n vertices with these chunks, behind the sessions whose arena it shares.
func place(w work, n uint64, m mode, stored chunks) (p room) {
	if m.crew != nil {
		return m.crew.room
	}
	if beside := m.beside(); beside != nil {
		p.end = beside.room.end
		if m.part.reads {
			p.layout = beside.room.layout
		}
	}
	if m.after != nil {
		p.end = m.after.room.end
	}
	if len(p.layout.Columns) == 0 {
		for _, c := range slices.Concat(w.inputs, w.results) {
			p.layout.Columns = append(p.layout.Columns, plugins.VertexColumn{Column: c, Range: p.next(kit.ColumnBytes(c, n))})
		}
		p.layout.Active = p.next((n + 63) / 64 * 8)
		for _, r := range w.rows {
			p.layout.Rows = append(p.layout.Rows, plugins.VertexRows{Rows: r, Range: p.next(4 * r.Count(n))})
		}
	}
	count, largest := stored.size()
	if m.streamed {
		count = slots
	}
	if m.active {
		largest += vertexRoom + 4*n
	}
	if m.active || m.part != nil {
		p.set, p.told = p.next((n+63)/64*8), p.next(n*8)
	}
	if m.after != nil {
		p.at = m.after.room.thatHold(largest)
		p.at = p.at[:min(count, len(p.at))]
	}
	for range count - len(p.at) {
		p.at = append(p.at, p.next(largest))
	}
	return p
}

// thatHold are the places that hold so much: sessions on one arena have chunks of different sizes.
func (p *room) thatHold(length uint64) (at []arena.Range) {
	for _, a := range p.at {
		if length <= a.Length {
			at = append(at, a)
		}
	}
	return at
}

// arena makes an arena for a session in this mode, with room for others where they share it.
func (p *room) arena(m mode) (*arena.Arena, error) {
	size := max(p.end, arena.Align)
	if m.part != nil || m.again {
		size += partRoom
	}
	return arena.Create(size)
}
