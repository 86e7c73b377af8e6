package streaming

import (
	"os"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/dataflow"
	"github.com/penstock-db/penstock/algorithms/neural/grid"
)

// Cells are the edges of a graph by intervals, in a file without a name: each as grid.PlaceCell has its edges.
type Cells struct {
	Filtered int // intervals that have rows of those far ends alone that have an edge

	file    *os.File
	columns [2][][]cell // by end and interval
	size    int64
	shared  bool // lists are the same at both ends, and so are cells
}

// cell is edges in the file.
type cell struct {
	at   int64
	size grid.Size
}

func newCells() (*Cells, error) {
	file, err := newFile()
	if err != nil {
		return nil, err
	}
	return &Cells{file: file}, nil
}

// Close gives the file up.
func (c *Cells) Close() {
	if c != nil {
		c.file.Close()
	}
}

// of are the cells of an interval.
func (c *Cells) of(end dataflow.End, interval int) []cell {
	if c.shared {
		end = dataflow.AtTarget
	}
	if interval >= len(c.columns[end]) {
		return nil // nobody looks at edges
	}
	return c.columns[end][interval]
}

// Only is the size of the only cell of an interval; false: it has none.
func (c *Cells) Only(end dataflow.End, interval int) (size grid.Size, is bool) {
	cells := c.of(end, interval)
	if len(cells) == 0 {
		return size, false
	}
	return cells[0].size, true
}

// ReadOnly reads the edges of the only cell of an interval to the beginning of a region.
func (c *Cells) ReadOnly(end dataflow.End, interval int, region []byte) error {
	return c.read(c.of(end, interval)[0], region)
}

// Edges is how many there are to an interval.
func (c *Cells) Edges(end dataflow.End, interval int) (edges uint64) {
	for _, each := range c.of(end, interval) {
		edges += uint64(each.size.Edges)
	}
	return edges
}

// Size is what the file takes.
func (c *Cells) Size() uint64 { return uint64(c.size) }

// Count is how many cells there are at both ends.
func (c *Cells) Count() (count int) {
	for _, column := range slices.Concat(c.columns[0], c.columns[1]) {
		count += len(column)
	}
	return count
}

// add writes a cell, encoded, behind the others of its interval.
func (c *Cells) add(end dataflow.End, interval int, size grid.Size, encoded []byte) error {
	if _, err := c.file.WriteAt(encoded, c.size); err != nil {
		return scratchError(err)
	}
	for len(c.columns[end]) <= interval {
		c.columns[end] = append(c.columns[end], nil)
	}
	c.columns[end][interval] = append(c.columns[end][interval], cell{c.size, size})
	c.size += int64(len(encoded))
	return nil
}

// read reads the edges of a cell to the beginning of a region.
func (c *Cells) read(of cell, region []byte) error {
	if _, err := c.file.ReadAt(region[:of.size.EdgeBytes()], of.at); err != nil {
		return scratchError(err)
	}
	return nil
}
