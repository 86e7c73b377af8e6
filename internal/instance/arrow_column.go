package instance

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host"
)

// arrowColumn is a result column as a property: vertices by their user ids, null where
// an integer says Unreached. The caller releases it.
func arrowColumn(column algorithms.Values, names *host.VertexNames) arrow.Array {
	switch {
	case column.Type == algorithms.Float:
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		defer b.Release()
		b.AppendValues(column.Floats, nil)
		return b.NewArray()
	case column.Type == algorithms.Bool:
		b := array.NewBooleanBuilder(memory.DefaultAllocator)
		defer b.Release()
		b.AppendValues(column.Bools, nil)
		return b.NewArray()
	case column.Type == algorithms.VertexID && !names.Integer():
		return vertexTexts(column, names)
	}
	b := array.NewInt64Builder(memory.DefaultAllocator)
	defer b.Release()
	b.AppendValues(column.Ints, reachedBits(column))
	return b.NewArray()
}

func vertexTexts(column algorithms.Values, names *host.VertexNames) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	for v, id := range column.Ints {
		if !reached(column, v) {
			b.AppendNull()
			continue
		}
		b.Append(names.VertexText(id))
	}
	return b.NewArray()
}

func reachedBits(column algorithms.Values) []bool {
	bits := make([]bool, len(column.Ints))
	for v := range bits {
		bits[v] = reached(column, v)
	}
	return bits
}

// reached says whether vertex v has a value.
func reached(column algorithms.Values, v int) bool {
	return column.Ints == nil || column.Ints[v] != algorithms.Unreached
}
