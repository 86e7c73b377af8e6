package cut

import (
	"iter"
	"math/bits"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Selection is adjacency lists of one chunk, or parts of such lists: what Join puts
// together. It borrows the chunk's memory, and takes 12 bytes a list itself.
type Selection struct {
	chunk     *chunk.Chunk
	meta      chunk.Meta     // of the chunk
	edgeBytes int            // what an edge takes with its columns
	cols      chunk.Interval // that the edges lead to: of the chunk, or a part (see Within)
	lists     []list         // by ascending vertex
	edges     int            // in all lists
}

// list is edges [from, to) of a chunk, which are a vertex's, local to the chunk's rows.
type list struct {
	vertex   uint32
	from, to int32
}

// Select takes what stands at places in the lists of the active vertices, unless nothing does.
// active is a bitmap over the graph from vertex first on, a multiple of 64: v is bit v%64 of
// word (v-first)/64. It must reach as far as the chunk's rows.
func Select(c *chunk.Chunk, active []uint64, first uint64, places chunk.Places) Selection {
	s := nothing(c)
	s.takeActive(topologyOf(c), active, first, places)
	return s
}

// takeActive adds what stands at places in the lists of the active vertices (see Select).
func (s *Selection) takeActive(t topology, active []uint64, first uint64, places chunk.Places) {
	rows := chunk.Interval{Base: s.meta.Rows.Base - first, Count: s.meta.Rows.Count}
	s.lists = make([]list, 0, min(len(t.offsets)-1, atMost(active, rows)))
	if t.vertices != nil {
		for row, v := range t.vertices {
			if at := rows.Base + uint64(v); active[at/64]>>(at%64)&1 != 0 {
				s.take(t, row, places)
			}
		}
		return
	}
	members(active, rows, func(v uint64) { s.take(t, int(v-rows.Base), places) })
}

// topology is a chunk's, or that of a cell of it.
type topology struct {
	vertices []uint32
	offsets  []int32

	// Of a Division; without one there are no borders.
	borders int
	at      []int32
	cell    int
}

func topologyOf(c *chunk.Chunk) topology {
	return topology{vertices: c.Vertices(), offsets: c.Offsets()}
}

// list is what stands at places in a row's list, as far as it is in the cell.
func (t topology) list(row int, places chunk.Places) list {
	l := list{vertex: uint32(row)}
	if t.vertices != nil {
		l.vertex = t.vertices[row]
	}
	begins, ends := t.offsets[row], t.offsets[row+1]
	from, to := places.Within(uint32(ends - begins))
	l.from, l.to = begins+int32(from), begins+int32(to)
	if t.cell > 0 {
		l.from = max(l.from, t.at[row*t.borders+t.cell-1])
	}
	if t.cell < t.borders {
		l.to = min(l.to, t.at[row*t.borders+t.cell])
	}
	return l
}

// atMost is how many of an interval's vertices are in a bitmap, or a few more.
func atMost(active []uint64, i chunk.Interval) (n int) {
	for at := i.Base / 64; at*64 < i.End(); at++ {
		n += bits.OnesCount64(active[at])
	}
	return n
}

// members visits an interval's vertices that are in a bitmap, 64 at a time where none is.
func members(active []uint64, i chunk.Interval, visit func(v uint64)) {
	for at := i.Base; at < i.End(); at = (at/64 + 1) * 64 {
		for word := active[at/64] >> (at % 64) << (at % 64); word != 0; word &= word - 1 {
			v := at/64*64 + uint64(bits.TrailingZeros64(word))
			if v >= i.End() {
				return
			}
			visit(v)
		}
	}
}

// All takes every list, but for the empty ones.
func All(c *chunk.Chunk) Selection {
	s, t := nothing(c), topologyOf(c)
	s.lists = make([]list, 0, c.Rows())
	for row := range c.Rows() {
		s.take(t, row, chunk.Places{})
	}
	return s
}

// nothing is a selection of a chunk without lists.
func nothing(c *chunk.Chunk) Selection {
	meta, edgeBytes := c.Meta(), 4
	for _, f := range c.Columns() {
		edgeBytes += chunk.Width(f)
	}
	return Selection{chunk: c, meta: meta, edgeBytes: edgeBytes, cols: meta.Cols}
}

// take adds what stands at places in a row's list, unless nothing does.
func (s *Selection) take(t topology, row int, places chunk.Places) {
	if l := t.list(row, places); l.from < l.to {
		s.push(l)
	}
}

func (s *Selection) push(l list) {
	s.lists = append(s.lists, l)
	s.edges += int(l.to - l.from)
}

// nothing is a selection of the same chunk and columns without lists.
func (s Selection) nothing() Selection {
	s.lists, s.edges = nil, 0
	return s
}

// Lists is how many lists there are.
func (s Selection) Lists() int { return len(s.lists) }

// Edges is how long they are together.
func (s Selection) Edges() int { return s.edges }

// Spans are the places of the edges in the chunk's Neighbors, [from, to), ascending.
func (s Selection) Spans() iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for _, l := range s.lists {
			if !yield(int(l.from), int(l.to)) {
				return
			}
		}
	}
}

// Clone is the same lists in memory of their own, as a chunk: so much as Bytes says, and a header. The columns of s
// must be of fixed width and without nulls (*chunk.TypeError).
func (s Selection) Clone() (Selection, error) {
	g, err := Join(s)
	if err != nil {
		return Selection{}, err
	}
	buf := chunk.Aligned(g.EncodedSize())
	if _, err := g.EncodeTo(buf, 1); err != nil {
		return Selection{}, err
	}
	c, err := chunk.Open(buf)
	if err != nil {
		return Selection{}, err
	}
	return All(c), nil
}

// vertex is the graph's number of the vertex of list i.
func (s Selection) vertex(i int) uint64 { return s.meta.Rows.Base + uint64(s.lists[i].vertex) }

// listBytes is what a list takes in a chunk beside its edges: a vertex and an offset.
const listBytes = 8

// Bytes is what the lists take in a chunk, but for its header and padding.
func (s Selection) Bytes() int { return listBytes*len(s.lists) + s.edgeBytes*s.edges }

// First is the graph's number of the vertex of the first list, of which there must be one.
func (s Selection) First() uint64 { return s.vertex(0) }

// Follows tells whether s can be joined with a selection, and comes after it: in rows behind those of its chunk, or
// behind it in the same chunk.
func (s Selection) Follows(other Selection) bool {
	a, b := other.meta, s.meta
	after := a.Rows.End() <= b.Rows.Base || s.chunk == other.chunk && len(s.lists) > 0 && len(other.lists) > 0 &&
		other.vertex(len(other.lists)-1) < s.vertex(0)
	return a.Direction == b.Direction && other.cols == s.cols &&
		len(other.chunk.Columns()) == len(s.chunk.Columns()) && after
}
