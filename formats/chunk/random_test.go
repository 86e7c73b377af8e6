package chunk_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// csr is what FromCSR takes.
type csr struct {
	meta      chunk.Meta
	vertices  []uint32
	offsets   []int32
	neighbors []uint32
	columns   []chunk.EdgeColumn
}

func (g csr) chunk(t testing.TB, mem memory.Allocator) *chunk.Chunk {
	return chunktest.FromCSR(t, mem, g.meta, g.vertices, g.offsets, g.neighbors, g.columns...)
}

// randomCSR is small, often without rows or edges, with up to six columns of any type.
func randomCSR(t testing.TB, r *rand.Rand, mem memory.Allocator) csr {
	g := csr{meta: chunk.Meta{
		Graph: string([]rune("grüße, graph")[:r.IntN(13)]), Snapshot: r.Uint64(), Direction: chunk.Direction(r.IntN(3)),
		Rows: chunk.Interval{Base: r.Uint64() >> 1, Count: uint64(r.IntN(40))},
		Cols: chunk.Interval{Base: r.Uint64() >> 1, Count: 1 + r.Uint64N(1<<32)},
	}}
	rows := int(g.meta.Rows.Count)
	if r.IntN(2) == 0 {
		g.vertices = []uint32{}
		for v := range rows {
			if r.IntN(2) == 0 {
				g.vertices = append(g.vertices, uint32(v))
			}
		}
		rows = len(g.vertices)
	}
	degrees := r.IntN(6)
	g.offsets = make([]int32, rows+1)
	for row := range rows {
		g.offsets[row+1] = g.offsets[row] + int32(r.IntN(degrees+1))
	}
	for range g.offsets[rows] {
		g.neighbors = append(g.neighbors, uint32(r.Uint64N(g.meta.Cols.Count)))
	}
	for i := range r.IntN(6) {
		g.columns = append(g.columns, randomColumn(t, r, mem, fmt.Sprintf("column %d", i), len(g.neighbors)))
	}
	return g
}

// randomColumn is sometimes a slice of a longer array.
func randomColumn(t testing.TB, r *rand.Rand, mem memory.Allocator, name string, n int) chunk.EdgeColumn {
	before, after := r.IntN(4)*r.IntN(5), r.IntN(2)*r.IntN(5)
	longer := randomArray(r, mem, columnTypes[r.IntN(len(columnTypes))], before+n+after)
	defer longer.Release()
	values := array.NewSlice(longer, int64(before), int64(before+n))
	t.Cleanup(values.Release)
	return chunk.EdgeColumn{Name: name, Values: values}
}

// columnTypes are all that an edge column can have, but for parameters.
var columnTypes = func() []arrow.DataType {
	types := []arrow.DataType{
		arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16, arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64,
		arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
		arrow.FixedWidthTypes.Float16, arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64,
		arrow.FixedWidthTypes.Boolean, arrow.BinaryTypes.String, arrow.BinaryTypes.Binary,
		arrow.BinaryTypes.LargeString, arrow.BinaryTypes.LargeBinary,
		arrow.FixedWidthTypes.Date32, arrow.FixedWidthTypes.Date64,
		arrow.FixedWidthTypes.Time32s, arrow.FixedWidthTypes.Time32ms, arrow.FixedWidthTypes.Time64us,
		arrow.FixedWidthTypes.Time64ns,
		arrow.FixedWidthTypes.Timestamp_s, arrow.FixedWidthTypes.Timestamp_ns,
		&arrow.TimestampType{Unit: arrow.Millisecond}, &arrow.TimestampType{Unit: arrow.Microsecond,
			TimeZone: "Europe/Berlin"},
		arrow.FixedWidthTypes.Duration_s, arrow.FixedWidthTypes.Duration_ms, arrow.FixedWidthTypes.Duration_us,
		arrow.FixedWidthTypes.Duration_ns,
		arrow.FixedWidthTypes.MonthInterval, arrow.FixedWidthTypes.DayTimeInterval,
		arrow.FixedWidthTypes.MonthDayNanoInterval,
		&arrow.FixedSizeBinaryType{ByteWidth: 3},
	}
	for _, element := range types[9:14] {
		types = append(types, arrow.ListOf(element), arrow.ListOfNonNullable(element), arrow.FixedSizeListOf(3, element))
	}
	return types
}()

// randomArray has n values of any type in columnTypes, some of them null.
func randomArray(r *rand.Rand, mem memory.Allocator, t arrow.DataType, n int) arrow.Array {
	validity, nulls := randomValidity(r, mem, n)
	buffers := []*memory.Buffer{validity}
	var children []arrow.ArrayData
	switch t := t.(type) {
	case *arrow.ListType:
		offsets, last := randomOffsets(r, mem, n, 4)
		child := randomArray(r, mem, t.Elem(), last)
		defer child.Release()
		buffers, children = append(buffers, offsets), append(children, child.Data())
	case *arrow.FixedSizeListType:
		child := randomArray(r, mem, t.Elem(), n*int(t.Len()))
		defer child.Release()
		children = append(children, child.Data())
	case arrow.OffsetsDataType:
		offsets, last := randomOffsets(r, mem, n, t.OffsetTypeTraits().BytesRequired(1))
		buffers = append(buffers, offsets, randomText(r, mem, last))
	default:
		buffers = append(buffers, randomFixed(r, mem, t.(arrow.FixedWidthDataType), n))
	}
	data := array.NewData(t, n, buffers, children, nulls, 0)
	defer data.Release()
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	return array.MakeFromData(data)
}

func randomValidity(r *rand.Rand, mem memory.Allocator, n int) (*memory.Buffer, int) {
	if n == 0 || r.IntN(3) == 0 {
		return nil, 0
	}
	bitmap := newBuffer(mem, (n+7)/8)
	for i := range n {
		bitutil.SetBitTo(bitmap.Bytes(), i, r.IntN(4) > 0)
	}
	return bitmap, n - bitutil.CountSetBits(bitmap.Bytes(), 0, n)
}

func randomOffsets(r *rand.Rand, mem memory.Allocator, n, width int) (*memory.Buffer, int) {
	offsets := newBuffer(mem, (n+1)*width)
	var last int
	for i := range n {
		last += r.IntN(4)
		if width == 4 {
			arrow.Int32Traits.CastFromBytes(offsets.Bytes())[i+1] = int32(last)
		} else {
			arrow.Int64Traits.CastFromBytes(offsets.Bytes())[i+1] = int64(last)
		}
	}
	return offsets, last
}

func randomText(r *rand.Rand, mem memory.Allocator, n int) *memory.Buffer {
	text := newBuffer(mem, n)
	for i := range text.Bytes() {
		text.Bytes()[i] = 'a' + byte(r.IntN(26))
	}
	return text
}

func randomFixed(r *rand.Rand, mem memory.Allocator, t arrow.FixedWidthDataType, n int) *memory.Buffer {
	values := newBuffer(mem, (n*t.BitWidth()+7)/8)
	width, float := max(t.BitWidth()/8, 1), arrow.IsFloating(t.ID())
	for i := range values.Bytes() {
		values.Bytes()[i] = byte(r.Uint32())
		if float && i%width == width-1 {
			values.Bytes()[i] &= 0xbf // an exponent that is no NaN's: NaN equals nothing
		}
	}
	return values
}

// newBuffer is zeroed.
func newBuffer(mem memory.Allocator, n int) *memory.Buffer {
	b := memory.NewResizableBuffer(mem)
	b.Resize(n)
	clear(b.Bytes())
	return b
}

// newRand always draws the same.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// buffers is an array's buffers when it has no nulls.
func buffers(values []byte) []*memory.Buffer {
	return []*memory.Buffer{nil, memory.NewBufferBytes(values)}
}
