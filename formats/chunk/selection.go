package chunk

import "math/bits"

// Selection is adjacency lists of one chunk, or parts of such lists: what Join puts
// together. It borrows the chunk's memory, and takes 12 bytes a list itself.
type Selection struct {
	chunk *Chunk
	cols  Interval // that the edges lead to: of the chunk, or a part (see Within)
	lists []list   // by ascending vertex
	edges int      // in all lists
}

// list is edges [from, to) of a chunk, which are a vertex's, local to the chunk's rows.
type list struct {
	vertex   uint32
	from, to int32
}

// Select takes what stands at places in the lists of the active vertices, unless nothing does.
// active is a bitmap over the graph from vertex first on, a multiple of 64: v is bit v%64 of
// word (v-first)/64. It must reach as far as the chunk's rows.
func (c *Chunk) Select(active []uint64, first uint64, places Places) Selection {
	s := c.nothing()
	if c.topology.vertices != nil {
		for row, v := range c.topology.vertices {
			if at := c.meta.Rows.Base + uint64(v) - first; active[at/64]>>(at%64)&1 != 0 {
				s.add(row, places)
			}
		}
		return s
	}
	rows := Interval{Base: c.meta.Rows.Base - first, Count: c.meta.Rows.Count}
	s.lists = make([]list, 0, atMost(active, rows))
	members(active, rows, func(v uint64) { s.add(int(v-rows.Base), places) })
	return s
}

// atMost is how many of an interval's vertices are in a bitmap, or a few more.
func atMost(active []uint64, i Interval) (n int) {
	for at := i.Base / 64; at*64 < i.End(); at++ {
		n += bits.OnesCount64(active[at])
	}
	return n
}

// members visits an interval's vertices that are in a bitmap, 64 at a time where none is.
func members(active []uint64, i Interval, visit func(v uint64)) {
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

// SelectAll takes every list, but for the empty ones.
func (c *Chunk) SelectAll() Selection {
	s := c.nothing()
	for row := range c.Rows() {
		s.add(row, Places{})
	}
	return s
}

func (c *Chunk) nothing() Selection { return Selection{chunk: c, cols: c.meta.Cols} }

func (s *Selection) add(row int, places Places) {
	t := &s.chunk.topology
	l := list{vertex: uint32(row), from: t.offsets[row], to: t.offsets[row+1]}
	if t.vertices != nil {
		l.vertex = t.vertices[row]
	}
	if l = places.of(l); l.from < l.to {
		s.push(l)
	}
}

func (s *Selection) push(l list) {
	s.lists = append(s.lists, l)
	s.edges += int(l.to - l.from)
}

// nothing is a selection of the same chunk and columns without lists.
func (s Selection) nothing() Selection { return Selection{chunk: s.chunk, cols: s.cols} }

// Lists is how many lists there are.
func (s Selection) Lists() int { return len(s.lists) }

// Edges is how long they are together.
func (s Selection) Edges() int { return s.edges }

// vertex is the graph's number of the vertex of list i.
func (s Selection) vertex(i int) uint64 { return s.chunk.meta.Rows.Base + uint64(s.lists[i].vertex) }

// listBytes is what a list takes in a chunk beside its edges: a vertex and an offset.
const listBytes = 8

// Bytes is what the lists take in a chunk, but for its header and padding.
func (s Selection) Bytes() int { return listBytes*len(s.lists) + s.edgeBytes()*s.edges }

// edgeBytes is what an edge takes with its columns.
func (s Selection) edgeBytes() int {
	bytes := 4
	for _, c := range s.chunk.columns {
		bytes += width(c.field)
	}
	return bytes
}

// Cut divides the lists into selections of at most so many Bytes, and so many more an edge
// for who needs them. There must be room for one edge. Only a list that is larger than that by
// itself is divided.
func (s Selection) Cut(bytes, more int) []Selection {
	var cut []Selection
	piece := s.nothing()
	each := s.edgeBytes() + more
	end := func() {
		if piece.edges > 0 {
			cut, piece = append(cut, piece), s.nothing()
		}
	}
	for _, l := range s.lists {
		if piece.Bytes()+more*piece.edges+listBytes+each*int(l.to-l.from) > bytes {
			end()
		}
		for most := int32(max(1, (bytes-listBytes)/each)); l.to-l.from > most; l.from += most {
			piece.push(list{l.vertex, l.from, l.from + most})
			end()
		}
		piece.push(l)
	}
	end()
	return cut
}

// SumEdges is how many edges of a chunk, as it is stored, a device adds up at once: where a list goes on beyond a multiple of
// them, the sums of its parts are added. So a chunk that is cut there, and nowhere else, gives the same bits as the whole one.
const SumEdges = 32 << 10

// CutSums divides the lists of a whole chunk at multiples of SumEdges into selections of at most so many Bytes, and so many
// more an edge. There must be room for SumEdges edges, each a list of its own.
func (s Selection) CutSums(bytes, more int) []Selection {
	var cut []Selection
	piece, sum := s.nothing(), s.nothing()
	end := func() {
		if piece.edges > 0 && piece.Bytes()+sum.Bytes()+more*(piece.edges+sum.edges) > bytes {
			cut, piece = append(cut, piece), s.nothing()
		}
		piece.extend(sum)
		sum.lists, sum.edges = sum.lists[:0], 0
	}
	for _, l := range s.lists {
		for room := int32(SumEdges - sum.edges); l.to-l.from >= room; room = SumEdges {
			sum.push(list{l.vertex, l.from, l.from + room})
			l.from += room
			end()
		}
		if l.from < l.to {
			sum.push(l)
		}
	}
	end()
	if piece.edges > 0 {
		cut = append(cut, piece)
	}
	return cut
}

// extend adds lists that follow; the first may be the rest of the last one.
func (s *Selection) extend(next Selection) {
	s.edges += next.edges
	if n := len(s.lists); n > 0 && len(next.lists) > 0 && s.lists[n-1].to == next.lists[0].from && s.lists[n-1].vertex == next.lists[0].vertex {
		s.lists[n-1].to = next.lists[0].to
		next.lists = next.lists[1:]
	}
	s.lists = append(s.lists, next.lists...)
}

// Split divides the lists in two: as many of the first as take at most so many Bytes, and so
// many more an edge, and the rest.
func (s Selection) Split(bytes, more int) (fit, rest Selection) {
	n, edges, each := 0, 0, s.edgeBytes()+more
	for n < len(s.lists) {
		all := edges + int(s.lists[n].to-s.lists[n].from)
		if listBytes*(n+1)+each*all > bytes {
			break
		}
		n, edges = n+1, all
	}
	fit, rest = s, s
	fit.lists, fit.edges = s.lists[:n], edges
	rest.lists, rest.edges = s.lists[n:], s.edges-edges
	return fit, rest
}

// First is the graph's number of the vertex of the first list, of which there must be one.
func (s Selection) First() uint64 { return s.vertex(0) }

// Follows tells whether s can be joined with a selection, and comes after it.
func (s Selection) Follows(other Selection) bool {
	a, b := other.chunk, s.chunk
	return a.meta.Direction == b.meta.Direction && other.cols == s.cols &&
		len(a.columns) == len(b.columns) && a.meta.Rows.End() <= b.meta.Rows.Base
}
