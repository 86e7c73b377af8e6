package intervals

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/unnamed"
	"github.com/penstock-db/penstock/plugins/arena"
)

// cells are the edges of a grid, renumbered as the session of a cell has its vertices, in a file without a name.
type cells struct {
	file    *os.File
	columns [][]cell // of each destination interval
	among   []cell   // of each: the last, until the writing has ended
	most    uint64   // sources of a cell
	size    uint64
	edges   uint64 // bytes of them, in size
	scarce  bool   // what is read does not stay in the system's cache
}

// cell is edges that lead to one interval, from vertices that are not more than an interval has.
type cell struct {
	sources []list        // in the order in which the session has them
	count   uint64        // of sources
	pieces  []arena.Range // of edges, in the file, each of which a slot has room for
	edges   uint64        // bytes of them
	among   bool          // the sources are the destinations, in the only list: the last cell of a column that settles
	room    uint64        // of these: what all pieces take of the budget
	fits    bool          // of these: all slots together have room for all pieces at once
}

// list is vertices in ascending order, each 32 bits in the file.
type list struct {
	at    uint64 // in the file
	count uint64
	base  uint64 // the first vertex, from which the others are counted
	end   uint64 // behind the last
}

// newCells makes the file. scarce: it is no use to the system's cache, which would push out others for it.
func newCells(columns int, most uint64, scarce bool) (*cells, error) {
	file, err := unnamed.File("penstock-cells-*")
	if err != nil {
		return nil, fmt.Errorf("cells: %w", err)
	}
	return &cells{file: file, columns: make([][]cell, columns), among: make([]cell, columns), most: most,
		scarce: scarce}, nil
}

func (c *cells) close() { c.file.Close() }

// room is how many sources the last cell of a column can have more. A column whose last cell is full is given another.
func (c *cells) room(q int) uint64 {
	cells := &c.columns[q]
	if n := len(*cells); n > 0 && (*cells)[n-1].count < c.most {
		return c.most - (*cells)[n-1].count
	}
	*cells = append(*cells, cell{})
	return c.most
}

// last is the last cell of a column.
func (c *cells) last(q int) *cell { return &c.columns[q][len(c.columns[q])-1] }

// addSources gives the last cell of a column sources, for which there is room: count of them, of which each visits all
// in ascending order. It tells the place of the first.
func (c *cells) addSources(q int, count uint64, each func(visit func(v uint64))) (first uint64, err error) {
	to, l, ids := c.last(q), list{at: c.size, count: count}, make([]byte, 0, plan.SourceBytes*count)
	each(func(v uint64) {
		if len(ids) == 0 {
			l.base = v
		}
		ids, l.end = binary.NativeEndian.AppendUint32(ids, uint32(v-l.base)), v+1
	})
	if l.end-l.base > math.MaxUint32 {
		return 0, fmt.Errorf("cells: sources are %d vertices apart", l.end-l.base)
	}
	first = to.count
	to.sources, to.count = append(to.sources, l), to.count+count
	return first, c.write(ids)
}

// addPiece gives the last cell of a column edges, which are put together in buf.
func (c *cells) addPiece(q int, edges *cut.Subgraph, buf []byte) error {
	return c.add(c.last(q), edges, buf)
}

func (c *cells) add(to *cell, edges *cut.Subgraph, buf []byte) error {
	n, err := edges.EncodeTo(buf, 1)
	if err != nil {
		return err
	}
	to.pieces = append(to.pieces, arena.Range{Offset: c.size, Length: uint64(n)})
	to.edges, c.edges = to.edges+uint64(n), c.edges+uint64(n)
	return c.write(buf[:n])
}

func (c *cells) write(bytes []byte) error {
	if _, err := c.file.WriteAt(bytes, int64(c.size)); err != nil {
		return fmt.Errorf("cells: %w", err)
	}
	c.size += uint64(len(bytes))
	return nil
}

// addAmong adds to the edges among the destinations of a column, the vertices of an interval. They take so much of the
// budget.
func (c *cells) addAmong(q int, all chunk.Interval, edges *cut.Subgraph, buf []byte, room uint64) error {
	to := &c.among[q]
	to.among, to.sources = true, []list{{count: all.Count, base: all.Base, end: all.End()}}
	to.room += room
	return c.add(to, edges, buf)
}

// own is the cell of a column's edges among its destinations. There may be none.
func (c *cells) own(q int) (own cell, ok bool) {
	if n := len(c.columns[q]); n > 0 && c.columns[q][n-1].among {
		return c.columns[q][n-1], true
	}
	return cell{}, false
}

// ownEdges is what edges among the destinations of all columns take.
func (c *cells) ownEdges() (bytes uint64) {
	for _, own := range c.among {
		bytes += own.edges
	}
	return bytes
}

// finish ends the writing of what so many slots will hold.
func (c *cells) finish(slots int, f plan.Fit) error {
	n := uint64(slots)
	for q, own := range c.among {
		if own.among {
			own.fits = own.room <= n*f.Capacity && own.placed() <= n*plan.SlotBytes(f.Capacity)
			c.columns[q] = append(c.columns[q], own)
		}
	}
	if !c.scarce {
		return nil
	}
	return leaveCache(c.file)
}

// placed is what the pieces of a cell take of the arena, one after the other.
func (c cell) placed() (bytes uint64) {
	for _, p := range c.pieces {
		bytes += plan.Aligned(p.Length)
	}
	return bytes
}

// read reads what lies at a place in the file.
func (c *cells) read(dst []byte, at uint64) error {
	if _, err := c.file.ReadAt(dst, int64(at)); err != nil {
		return fmt.Errorf("cells: %w", err)
	}
	if c.scarce {
		forget(c.file, at, uint64(len(dst)))
	}
	return nil
}

// span is where all vertices of a list are.
func (l list) span() chunk.Interval { return chunk.Interval{Base: l.base, Count: l.end - l.base} }
