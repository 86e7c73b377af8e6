package check

import (
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"

	"github.com/penstock-db/penstock/formats/chunk/internal/encoding"
)

// Array counts the nulls of d and follows its offsets.
func Array(part string, d arrow.ArrayData) error {
	s, bitmap := encoding.ShapeOf(d.DataType()), encoding.BufferBytes(d, 0)
	if len(bitmap) > 0 && d.NullN() >= 0 {
		if nulls := d.Len() - bitutil.CountSetBits(bitmap, 0, d.Len()); nulls != d.NullN() {
			return Invalid(part, "%d nulls; the header says %d", nulls, d.NullN())
		}
	}
	if err := arrayOffsets(part, s, encoding.BufferBytes(d, 1), d.Len()); err != nil {
		return err
	}
	for i, child := range d.Children() {
		if err := Array(strings.Join([]string{part, s.Fields[i].Name}, "."), child); err != nil {
			return err
		}
	}
	return nil
}

func arrayOffsets(part string, s encoding.Shape, offsets []byte, n int) error {
	if s.Offset == 0 || len(offsets) == 0 {
		return nil
	}
	from := s.LastOffset(offsets, 0)
	for i := 1; i <= n; i++ {
		to := s.LastOffset(offsets, i)
		if to < from {
			return Invalid(part, "value %d ends at %d, before its start %d", i-1, to, from)
		}
		from = to
	}
	return nil
}
