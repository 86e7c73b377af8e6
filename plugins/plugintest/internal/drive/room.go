package drive

import (
	"slices"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Room says where a session's data lies in an arena.
type Room struct {
	Layout plugins.Layout // vertex columns, active set
	At     []arena.Range  // of each chunk, or slots
	Set    arena.Range    // the bitmap of a Settle, or of the vertices that a part concerns
	Told   arena.Range    // a column of accumulators
	End    uint64         // of what it takes
}

// Next takes a range.
func (p *Room) Next(length uint64) arena.Range {
	at := arena.Range{Offset: p.End, Length: length}
	p.End = (at.End() + arena.Align - 1) / arena.Align * arena.Align
	return at
}

// Place finds room for some work on n vertices with these chunks, behind the sessions whose arena it shares.
func Place(w Work, n uint64, m Mode, stored Chunks) (p Room) {
	if m.Crew != nil {
		return m.Crew.Room
	}
	if beside := m.beside(); beside != nil {
		p.End = beside.Room.End
		if m.Part.Reads {
			p.Layout = beside.Room.Layout
		}
	}
	if m.After != nil {
		p.End = m.After.Room.End
	}
	if len(p.Layout.Columns) == 0 {
		for _, c := range slices.Concat(w.Inputs, w.Results) {
			p.Layout.Columns = append(p.Layout.Columns, plugins.VertexColumn{Column: c, Range: p.Next(kit.ColumnBytes(c, n))})
		}
		p.Layout.Active = p.Next((n + 63) / 64 * 8)
		for _, r := range w.Rows {
			p.Layout.Rows = append(p.Layout.Rows, plugins.VertexRows{Rows: r, Range: p.Next(4 * r.Count(n))})
		}
	}
	count, largest := stored.Size()
	if m.Streamed {
		count = Slots
	}
	if m.Active {
		largest += VertexRoom + 4*n
	}
	if m.Active || m.Part != nil {
		p.Set, p.Told = p.Next((n+63)/64*8), p.Next(n*8)
	}
	if m.After != nil {
		p.At = m.After.Room.thatHold(largest)
		p.At = p.At[:min(count, len(p.At))]
	}
	for range count - len(p.At) {
		p.At = append(p.At, p.Next(largest))
	}
	return p
}

// thatHold are the places that hold so much: sessions on one arena have chunks of different sizes.
func (p *Room) thatHold(length uint64) (at []arena.Range) {
	for _, a := range p.At {
		if length <= a.Length {
			at = append(at, a)
		}
	}
	return at
}

// arena makes an arena for a session in this mode, with room for others where they share it.
func (p *Room) arena(m Mode) (*arena.Arena, error) {
	size := max(p.End, arena.Align)
	if m.Part != nil || m.Again {
		size += partRoom
	}
	return arena.Create(size)
}
