package algorithm

import (
	"cmp"
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/kit"
)

// index finds the list of a vertex in the chunks of one direction. It takes 8 bytes a vertex, and some 40 for each
// further piece of a list: one that lies in several chunks.
type index struct {
	chunks []*kit.Chunk
	first  []place         // of each vertex
	more   map[int][]place // those of a vertex whose first place says so
}

// place is a row of a chunk. The zero is nowhere.
type place struct {
	chunk uint32 // one more than its place among the chunks; with the bit several
	row   uint32
}

// several marks a first place that is not the only one.
const several = 1 << 31

// morePlaces is what a further piece is charged, in bytes.
const morePlaces = 40

func indexBytes(n int) uint64 { return 8 * uint64(n) }

// index finds the lists that chunks have.
func (g *Graph) index(chunks []*kit.Chunk, budget *kit.Budget) (err error) {
	leaving, coming := []chunk.Direction{chunk.Out, chunk.Both}, []chunk.Direction{chunk.In}
	if g.lists[out], err = newIndex(chunks, leaving, g.N(), budget); err != nil {
		return err
	}
	if !g.Directed {
		g.lists[in] = g.lists[out]
		return nil
	}
	g.lists[in], err = newIndex(chunks, coming, g.N(), budget)
	return err
}

// newIndex goes over the rows of the chunks of some directions.
func newIndex(chunks []*kit.Chunk, directions []chunk.Direction, n int, budget *kit.Budget) (x index, err error) {
	for _, c := range chunks {
		if slices.Contains(directions, c.Meta().Direction) {
			x.chunks = append(x.chunks, c)
		}
	}
	if len(x.chunks) == 0 && len(chunks) > 0 {
		return x, nil // these lists are not read
	}
	slices.SortFunc(x.chunks, func(a, b *kit.Chunk) int { // so that the pieces of a list are in ascending order
		m, n := a.Meta(), b.Meta()
		return cmp.Or(cmp.Compare(m.Cols.Base, n.Cols.Base), cmp.Compare(m.Rows.Base, n.Rows.Base))
	})
	x.first, x.more = make([]place, n), map[int][]place{}
	for i, c := range x.chunks {
		for row := range c.Rows() {
			if offsets := c.Offsets(); offsets[row] == offsets[row+1] {
				continue
			}
			if err := x.add(int(c.Vertex(row)), place{uint32(i + 1), uint32(row)}, budget); err != nil {
				return x, err
			}
		}
	}
	return x, nil
}

func (x index) add(v int, p place, budget *kit.Budget) error {
	if x.first[v] == (place{}) {
		x.first[v] = p
		return nil
	}
	if err := budget.Take(morePlaces, "the index of a list in several chunks"); err != nil {
		return err
	}
	x.first[v].chunk |= several
	x.more[v] = append(x.more[v], p)
	return nil
}

// list is the one of vertex v.
func (x index) list(v int) (l List) {
	first := x.first[v]
	if first == (place{}) {
		return l
	}
	l.piece = x.piece(place{first.chunk &^ several, first.row})
	if first.chunk&several != 0 {
		for _, p := range x.more[v] {
			l.rest = append(l.rest, x.piece(p))
		}
	}
	return l
}

func (x index) piece(p place) piece { return pieceOf(x.chunks[p.chunk-1], int(p.row)) }

// pieceOf is a row of a chunk.
func pieceOf(c *kit.Chunk, row int) piece {
	from, to := c.Offsets()[row], c.Offsets()[row+1]
	p := piece{base: c.Meta().Cols.Base, neighbors: c.Neighbors()[from:to]}
	if len(c.Weights) > 0 {
		p.weights = c.Weights[0][from:to]
	}
	return p
}
