package chunk

import (
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
)

// Validate checks what every reader relies on, in one pass over the chunk: offsets
// never fall, neighbors are within Meta().Cols, vertices ascend within Meta().Rows,
// degrees are as stated, lists and strings of edge columns lie inside their values.
// What is not so is an *InvalidError.
func (c *Chunk) Validate() error {
	for _, check := range c.Checks() {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkBlock is how many neighbors a check looks at: enough to be worth a task.
const checkBlock = 1 << 18

// Checks are the parts of Validate, which may run at once, for readers with several
// processors. Of several errors the first is Validate's.
func (c *Chunk) Checks() []func() error {
	checks := []func() error{c.checkStats}
	neighbors := c.topology.neighbors
	for from := 0; from < len(neighbors); from += checkBlock {
		block := neighbors[from:min(from+checkBlock, len(neighbors))]
		checks = append(checks, func() error { return checkNeighbors(block, from, c.meta.Cols.Count) })
	}
	checks = append(checks, func() error { return checkVertices(c.topology.vertices, c.meta.Rows.Count) })
	for _, col := range c.columns {
		checks = append(checks, func() error { return checkArray("column "+col.field.Name, col.array.Data()) })
	}
	return checks
}

func (c *Chunk) checkStats() error {
	stats, err := newStats(c.topology)
	if err == nil && stats != c.stats {
		err = invalid("offsets", "counts are %+v; the header says %+v", stats, c.stats)
	}
	return err
}

// checkNeighbors compares the largest first: nearly always there is nothing to find.
func checkNeighbors(neighbors []uint32, from int, count uint64) error {
	if uint64(largest(neighbors)) < count {
		return nil
	}
	for i, n := range neighbors {
		if uint64(n) >= count {
			return invalid("neighbors", "entry %d is vertex %d of an interval of %d", from+i, n, count)
		}
	}
	return nil
}

// largest takes eight at a time, which do not wait for one another; 0 when there are none.
func largest(values []uint32) uint32 {
	var m [8]uint32
	for ; len(values) >= len(m); values = values[len(m):] {
		v := (*[8]uint32)(values)
		m[0], m[1], m[2], m[3] = max(m[0], v[0]), max(m[1], v[1]), max(m[2], v[2]), max(m[3], v[3])
		m[4], m[5], m[6], m[7] = max(m[4], v[4]), max(m[5], v[5]), max(m[6], v[6]), max(m[7], v[7])
	}
	for i, v := range values {
		m[i] = max(m[i], v)
	}
	return slices.Max(m[:])
}

func checkVertices(vertices []uint32, count uint64) error {
	for i, v := range vertices {
		if uint64(v) >= count {
			return invalid("vertices", "row %d is vertex %d of an interval of %d", i, v, count)
		}
		if i > 0 && v <= vertices[i-1] {
			return invalid("vertices", "row %d is vertex %d, not after %d", i, v, vertices[i-1])
		}
	}
	return nil
}

// checkArray counts the nulls of d and follows its offsets.
func checkArray(part string, d arrow.ArrayData) error {
	s, bitmap := shapeOf(d.DataType()), bufferBytes(d, 0)
	if len(bitmap) > 0 && d.NullN() >= 0 {
		if nulls := d.Len() - bitutil.CountSetBits(bitmap, 0, d.Len()); nulls != d.NullN() {
			return invalid(part, "%d nulls; the header says %d", nulls, d.NullN())
		}
	}
	if err := checkOffsets(part, s, bufferBytes(d, 1), d.Len()); err != nil {
		return err
	}
	for i, child := range d.Children() {
		if err := checkArray(strings.Join([]string{part, s.fields[i].Name}, "."), child); err != nil {
			return err
		}
	}
	return nil
}

func checkOffsets(part string, s shape, offsets []byte, n int) error {
	if s.offset == 0 || len(offsets) == 0 {
		return nil
	}
	from := s.lastOffset(offsets, 0)
	for i := 1; i <= n; i++ {
		to := s.lastOffset(offsets, i)
		if to < from {
			return invalid(part, "value %d ends at %d, before its start %d", i-1, to, from)
		}
		from = to
	}
	return nil
}
