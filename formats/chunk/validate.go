package chunk

import (
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
)

// Validate checks what every reader relies on, in one pass over the chunk: offsets
// never fall, neighbours are within Meta().Cols, vertices ascend within Meta().Rows,
// degrees are as stated, lists and strings of edge columns lie inside their values.
// What is not so is an *InvalidError.
func (c *Chunk) Validate() error {
	stats, err := newStats(c.topology)
	if err != nil {
		return err
	}
	if stats != c.stats {
		return invalid("offsets", "counts are %+v; the header says %+v", stats, c.stats)
	}
	if err := checkNeighbors(c.topology.neighbors, c.meta.Cols.Count); err != nil {
		return err
	}
	if err := checkVertices(c.topology.vertices, c.meta.Rows.Count); err != nil {
		return err
	}
	for _, col := range c.columns {
		if err := checkArray("column "+col.field.Name, col.array.Data()); err != nil {
			return err
		}
	}
	return nil
}

func checkNeighbors(neighbors []uint32, count uint64) error {
	for i, n := range neighbors {
		if uint64(n) >= count {
			return invalid("neighbors", "entry %d is vertex %d of an interval of %d", i, n, count)
		}
	}
	return nil
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
