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
	return &cells{file: file, columns: make([][]cell, columns), most: most, scarce: scarce}, nil
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
	n, err := edges.EncodeTo(buf, 1)
	if err != nil {
		return err
	}
	to := c.last(q)
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

// finish ends the writing.
func (c *cells) finish() error {
	if !c.scarce {
		return nil
	}
	return leaveCache(c.file)
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
