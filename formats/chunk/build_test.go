package chunk_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// interval starts at 0.
func interval(count uint64) chunk.Interval { return chunk.Interval{Count: count} }

func TestFromCSR_WrongLengths(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	for name, g := range map[string]csr{
		"no offsets":              {meta: chunk.Meta{Rows: interval(0)}},
		"too few offsets":         {meta: chunk.Meta{Rows: interval(2)}, offsets: []int32{0, 0}},
		"too many offsets":        {meta: chunk.Meta{Rows: interval(1)}, offsets: []int32{0, 0, 0}},
		"first offset":            {meta: chunk.Meta{Rows: interval(1)}, offsets: []int32{1, 1}, neighbors: []uint32{0}},
		"last offset":             {meta: chunk.Meta{Rows: interval(1)}, offsets: []int32{0, 2}, neighbors: []uint32{0}},
		"negative last offset":    {meta: chunk.Meta{Rows: interval(1)}, offsets: []int32{0, -1}},
		"falling offset":          {meta: chunk.Meta{Rows: interval(2)}, offsets: []int32{0, 2, 1}, neighbors: []uint32{0}},
		"more rows than vertices": {meta: chunk.Meta{Rows: interval(1)}, vertices: []uint32{0, 1}, offsets: []int32{0, 0, 0}},
		"interval too long":       {meta: chunk.Meta{Rows: interval(1), Cols: interval(1<<32 + 1)}, offsets: []int32{0, 0}},
		"interval past the end": {meta: chunk.Meta{Rows: chunk.Interval{Base: math.MaxUint64, Count: 1}},
			offsets: []int32{0, 0}},
		"too many rows": {meta: chunk.Meta{Rows: interval(1 << 31)}, offsets: []int32{0, 0}},
		"direction":     {meta: chunk.Meta{Direction: 3}, offsets: []int32{0}},
	} {
		var bad *chunk.InvalidError
		c, err := chunk.FromCSR(mem, g.meta, g.vertices, g.offsets, g.neighbors, nil)
		if !errors.As(err, &bad) || c != nil {
			t.Errorf("%s: %v; expected an InvalidError", name, err)
		}
	}
}

func TestFromCSR_WrongColumns(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	build := func(columns ...chunk.EdgeColumn) error {
		c, err := chunk.FromCSR(mem, chunk.Meta{Rows: interval(1), Cols: interval(1)}, nil, []int32{0, 1}, []uint32{0},
			columns)
		if err == nil {
			c.Release()
		}
		return err
	}
	one := randomArray(newRand(), mem, arrow.PrimitiveTypes.Int64, 1)
	defer one.Release()
	two := randomArray(newRand(), mem, arrow.PrimitiveTypes.Int64, 2)
	defer two.Release()
	var bad *chunk.InvalidError
	if err := build(chunk.EdgeColumn{Name: "a", Values: two}); !errors.As(err, &bad) ||
		!strings.Contains(err.Error(), "column a") {
		t.Errorf("two values for an edge: %v; expected an InvalidError naming the column", err)
	}
	if err := build(chunk.EdgeColumn{Name: "a", Values: one}, chunk.EdgeColumn{Name: "a", Values: one}); !errors.As(err,
		&bad) {
		t.Errorf("one name twice: %v; expected an InvalidError", err)
	}
	if err := build(chunk.EdgeColumn{Name: "neighbor", Values: one}); err != nil {
		t.Errorf("a column called neighbor: %v", err)
	}
}

func TestFromCSR_UnsupportedType(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	for _, unsupported := range []arrow.DataType{
		arrow.Null, arrow.StructOf(arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Int8}),
		arrow.ListOf(arrow.ListOf(arrow.PrimitiveTypes.Int8)), arrow.ListOf(arrow.Null),
		arrow.LargeListOf(arrow.PrimitiveTypes.Int8),
		arrow.MapOf(arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int8), &arrow.Decimal128Type{Precision: 9},
		&arrow.FixedSizeBinaryType{},
		&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
	} {
		builder := array.NewBuilder(mem, unsupported)
		builder.AppendNull()
		values := builder.NewArray()
		builder.Release()
		var bad *chunk.TypeError
		_, err := chunk.FromCSR(mem, chunk.Meta{Rows: interval(1), Cols: interval(1)}, nil, []int32{0, 1}, []uint32{0},
			[]chunk.EdgeColumn{{Name: "odd", Values: values}})
		if !errors.As(err, &bad) || bad.Column != "odd" {
			t.Errorf("%v: %v; expected a TypeError", unsupported, err)
		}
		values.Release()
	}
}

func TestValidate_FindsWhatIsWrong(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	for part, g := range map[string]csr{
		"neighbors": {meta: chunk.Meta{Rows: interval(1), Cols: interval(2)}, offsets: []int32{0, 2},
			neighbors: []uint32{1, 2}},
		"vertices":  {meta: chunk.Meta{Rows: interval(2)}, vertices: []uint32{2}, offsets: []int32{0, 0}},
		"not after": {meta: chunk.Meta{Rows: interval(2)}, vertices: []uint32{1, 1}, offsets: []int32{0, 0, 0}},
	} {
		var bad *chunk.InvalidError
		if err := g.chunk(t, mem).Validate(); !errors.As(err, &bad) || !strings.Contains(err.Error(), part) {
			t.Errorf("%v; expected an InvalidError about %s", err, part)
		}
	}
}

// A wrong neighbor is found, and named, wherever it stands.
func TestValidate_EveryNeighbor(t *testing.T) {
	for _, n := range []int{1, 7, 8, 9, 31, 1<<18 + 9} {
		neighbors := make([]uint32, n)
		c := chunktest.FromCSR(t, chunktest.LeakChecked(t), chunk.Meta{Rows: interval(1), Cols: interval(5)}, nil,
			[]int32{0, int32(n)}, neighbors)
		for i := 0; i < n; i += 1 + n/40 {
			neighbors[i] = 5
			var bad *chunk.InvalidError
			if err := c.Validate(); !errors.As(err, &bad) ||
				!strings.Contains(err.Error(), fmt.Sprintf("entry %d is vertex 5", i)) {
				t.Errorf("%d of %d: %v", i, n, err)
			}
			neighbors[i] = 4
		}
		if err := c.Validate(); err != nil {
			t.Error(err)
		}
	}
}

// Slices are wrapped, so they can go wrong later, as shared memory can.
func TestValidate_AfterTheMemoryChanged(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	offsets := []int32{0, 1, 2}
	c := chunktest.FromCSR(t, mem, chunk.Meta{Rows: interval(2), Cols: interval(1)}, nil, offsets, []uint32{0, 0})
	for _, middle := range []int32{3, -1, 2} {
		offsets[1] = middle
		var bad *chunk.InvalidError
		if err := c.Validate(); !errors.As(err, &bad) {
			t.Errorf("offsets %v: %v; expected an InvalidError", offsets, err)
		}
	}
}

// Every pair of offsets within a string or list column is followed.
// Every entry of every offsets buffer is followed, in lists of texts those of the texts too.
func TestValidate_OffsetsOfColumns(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	texts := arrow.ListOf(arrow.BinaryTypes.String)
	for _, c := range []struct {
		dataType arrow.DataType
		width    int
		buffer   func(arrow.ArrayData) []byte
	}{
		{arrow.BinaryTypes.String, 4, ownOffsets}, {arrow.BinaryTypes.LargeBinary, 8, ownOffsets},
		{arrow.ListOf(arrow.PrimitiveTypes.Int8), 4, ownOffsets},
		{texts, 4, ownOffsets}, {texts, 4, func(d arrow.ArrayData) []byte { return ownOffsets(d.Children()[0]) }},
	} {
		values := randomArray(newRand(), mem, c.dataType, 3)
		made := chunktest.FromCSR(t, mem, chunk.Meta{Rows: interval(1), Cols: interval(1)}, nil, []int32{0, 3},
			make([]uint32, 3),
			chunk.EdgeColumn{Name: "text", Values: values})
		offsets := c.buffer(values.Data())
		for at := 0; at+c.width < len(offsets); at += c.width {
			before := offsets[at+1]
			offsets[at+1] = 0x7f // far behind the next
			var bad *chunk.InvalidError
			if err := made.Validate(); !errors.As(err, &bad) || !strings.Contains(err.Error(), "text") {
				t.Errorf("%v, entry %d: %v; expected an InvalidError naming the column", c.dataType, at/c.width, err)
			}
			offsets[at+1] = before
		}
		if err := made.Validate(); err != nil {
			t.Error(err)
		}
		values.Release()
	}
}

func ownOffsets(d arrow.ArrayData) []byte {
	width := d.DataType().(arrow.OffsetsDataType).OffsetTypeTraits().BytesRequired(1)
	return d.Buffers()[1].Bytes()[:(d.Len()+1)*width]
}
