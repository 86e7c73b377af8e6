package cut

import "github.com/penstock-db/penstock/formats/chunk"

// Division says where each list of a chunk goes over from one column interval to the next: the edge chunks of a grid
// (Ma et al., "NeuGraph: Parallel Deep Neural Network Computation on Large Graphs", ATC'19, section 3.1). With it,
// cells are taken out of the chunk, as often as they are wanted, without a search. It has no hold on the chunk's
// memory.
type Division struct {
	// Cells are, of each column interval, the lists that have an edge there, and these edges.
	Cells []Cell
	cols  []chunk.Interval
	at    []int32 // of row r, at [r*(len(cols)-1)+q] is the first edge that leads to cols[q+1] or behind it
}

// Cell is how much of a chunk leads to a column interval.
type Cell struct{ Lists, Edges int }

// DivisionBytes is what a Division of so many rows takes, but for a few bytes a column interval.
func DivisionBytes(rows uint64, cols int) uint64 { return 4 * rows * uint64(cols-1) }

// Divide looks for each list where the column intervals begin, which follow each other and cover the chunk's own. Lists
// must ascend, as those of stored chunks do.
func Divide(c *chunk.Chunk, cols []chunk.Interval) Division {
	d := Division{Cells: make([]Cell, len(cols)), cols: cols, at: make([]int32, 0, c.Rows()*(len(cols)-1))}
	offsets, neighbors, base := c.Offsets(), c.Neighbors(), c.Meta().Cols.Base
	for row := range c.Rows() {
		from, end := offsets[row], offsets[row+1]
		for q := range cols {
			to := end
			if q+1 < len(cols) {
				to = from + int32(atLeast(neighbors[from:end], cols[q+1].Base-base))
				d.at = append(d.at, to)
			}
			if from < to {
				d.Cells[q].Lists++
				d.Cells[q].Edges += int(to - from)
			}
			from = to
		}
	}
	return d
}

// All takes out of the chunk what leads to column interval q.
func (d Division) All(c *chunk.Chunk, q int) Selection {
	s, t := d.nothing(c, q), d.topologyOf(c, q)
	for row := range c.Rows() {
		s.take(t, row, chunk.Places{})
	}
	return s
}

// Select is as the function Select, of what leads to column interval q.
func (d Division) Select(c *chunk.Chunk, active []uint64, first uint64, places chunk.Places, q int) Selection {
	s := d.nothing(c, q)
	s.takeActive(d.topologyOf(c, q), active, first, places)
	return s
}

func (d Division) nothing(c *chunk.Chunk, q int) Selection {
	s := nothing(c)
	s.cols = d.cols[q]
	return s
}

func (d Division) topologyOf(c *chunk.Chunk, q int) topology {
	t := topologyOf(c)
	t.borders, t.at, t.cell = len(d.cols)-1, d.at, q
	return t
}
