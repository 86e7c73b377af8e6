package chunk_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// widths are types of columns that a blank may have, and the bytes of a value.
var widths = map[int]arrow.DataType{
	1: arrow.PrimitiveTypes.Int8, 2: arrow.FixedWidthTypes.Float16, 3: &arrow.FixedSizeBinaryType{ByteWidth: 3},
	4: arrow.PrimitiveTypes.Uint32,
	8: arrow.PrimitiveTypes.Float64, 16: arrow.FixedWidthTypes.MonthDayNanoInterval,
}

// A blank that is filled with a chunk's lists is, to the byte, that chunk, whatever lay in the memory before.
func TestBlank_IsTheChunkOfItsLists(t *testing.T) {
	chunktest.EachSeed(t, 100, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomCSR(t, r, mem)
		g.columns = nil
		var values [][]byte
		for width, dataType := range widths {
			bytes := make([]byte, width*len(g.neighbors))
			for i := range bytes {
				bytes[i] = byte(r.Uint32()) & 0xbf
			}
			values = append(values, bytes)
			data := array.NewData(dataType, len(g.neighbors), buffers(bytes), nil, 0, 0)
			column := array.MakeFromData(data)
			t.Cleanup(data.Release)
			t.Cleanup(column.Release)
			g.columns = append(g.columns, chunk.EdgeColumn{Name: fmt.Sprint(width), Values: column})
		}
		c := g.chunk(t, mem)
		want := chunktest.Encode(t, c)
		blank := chunk.Blank{Meta: c.Meta(), Stats: c.Stats(), Columns: c.Columns(), Unnamed: g.vertices == nil}
		got := chunk.Aligned(blank.EncodedSize())
		for i := range got {
			got[i] = 0xAA
		}
		n, err := blank.EncodeTo(got, func(to chunk.Buffers) {
			copy(to.Vertices, c.Vertices())
			copy(to.Offsets, c.Offsets())
			copy(to.Neighbors, c.Neighbors())
			for i, column := range to.Columns {
				copy(column, values[i])
			}
		})
		if err != nil || n != len(got) || !bytes.Equal(got, want) {
			t.Fatalf("%d of %d bytes, which differ: %v", n, len(want), err)
		}
		var short *chunk.BufferError
		if _, err := blank.EncodeTo(got[:len(got)-1], nil); !errors.As(err, &short) || short.Need != len(got) ||
			short.Have != len(got)-1 {
			t.Fatalf("a byte less: %v", err)
		}
	})
}

func TestWidth(t *testing.T) {
	for want, dataType := range widths {
		if got := chunk.Width(arrow.Field{Type: dataType}); got != want {
			t.Errorf("%v: %d bytes; expected %d", dataType, got, want)
		}
	}
	for _, dataType := range []arrow.DataType{arrow.FixedWidthTypes.Boolean, arrow.BinaryTypes.String,
		arrow.ListOf(arrow.PrimitiveTypes.Int8)} {
		if got := chunk.Width(arrow.Field{Type: dataType}); got != 0 {
			t.Errorf("%v: %d bytes; expected none", dataType, got)
		}
	}
}
