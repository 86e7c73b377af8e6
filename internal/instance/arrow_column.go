package instance

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host"
)

// arrowColumn is a result column as a property: vertices by their user ids, null where
// an integer says Unreached, lists of several values a vertex. The caller releases it.
func arrowColumn(column algorithms.Values, names *host.VertexNames) arrow.Array {
	if column.Each > 0 {
		return lists(column, names)
	}
	return scalars(column, names)
}

// lists have the values of each vertex, without what pads them at their ends.
func lists(column algorithms.Values, names *host.VertexNames) arrow.Array {
	lengths := lengthsOf(column)
	offsets := make([]int32, 1, len(lengths)+1)
	for v, count := range lengths {
		offsets = append(offsets, offsets[v]+int32(count))
	}
	values := scalars(packed(column, lengths), names)
	defer values.Release()
	data := array.NewData(arrow.ListOf(values.DataType()), column.Vertices(),
		[]*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets))},
		[]arrow.ArrayData{values.Data()}, 0, 0)
	defer data.Release()
	return array.NewListData(data)
}

// scalars are the values of a column, one after the other.
func scalars(column algorithms.Values, names *host.VertexNames) arrow.Array {
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

// reached says whether there is a value at a place of a column, which is a vertex where each has one.
func reached(column algorithms.Values, i int) bool {
	return column.Ints == nil || column.Ints[i] != algorithms.Unreached
}
