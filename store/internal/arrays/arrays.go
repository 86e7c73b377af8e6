// Package arrays reads, spells and builds the values in Arrow arrays: as bytes, one value after the other (cells.go,
// cellbuilder.go), and as values of statements (fromarrow.go, toarrow.go).
package arrays

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// ArrayBytes is what an array takes.
func ArrayBytes(data arrow.ArrayData) (total int64) {
	for _, b := range data.Buffers() {
		if b != nil {
			total += int64(b.Len())
		}
	}
	for _, child := range data.Children() {
		total += ArrayBytes(child)
	}
	return total
}

// ValueBytes is about what the values of an array take, which may be a part of another.
func ValueBytes(values arrow.Array) int64 {
	const fixed = 16
	n := values.Len()
	if n == 0 {
		return 0
	}
	switch values := values.(type) {
	case array.BinaryLike:
		return fixed*int64(n) + values.ValueOffset64(n-1) + int64(values.ValueLen(n-1)) - values.ValueOffset64(0)
	case array.ListLike:
		elements := values.ListValues()
		if elements.Len() == 0 {
			return fixed * int64(n)
		}
		from, _ := values.ValueOffsets(0)
		_, to := values.ValueOffsets(n - 1)
		return fixed*int64(n) + ArrayBytes(elements.Data())*(to-from)/int64(elements.Len())
	}
	return fixed * int64(n)
}

// Join makes one array of parts.
func Join(mem memory.Allocator, parts []arrow.Array) (arrow.Array, error) {
	if len(parts) == 1 {
		parts[0].Retain()
		return parts[0], nil
	}
	return array.Concatenate(parts, mem)
}

func ReleaseArrays(arrays []arrow.Array) {
	for _, a := range arrays {
		a.Release()
	}
}

// Gather is the values at these places.
func Gather(values arrow.Array, places []int) arrow.Array {
	from, to := NewCells(values.Data()), NewCellBuilder(values.DataType(), len(places))
	var spelled []byte
	for _, at := range places {
		if from.Null(at) {
			to.AppendNull()
			continue
		}
		spelled = from.Append(spelled[:0], at)
		to.Append(spelled)
	}
	return to.Array()
}
