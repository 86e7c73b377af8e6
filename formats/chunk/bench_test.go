package chunk_test

import (
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
)

// largeChunk encodes to 32 MiB and a little: 2^20 rows of two to three edges with a weight.
func largeChunk(b *testing.B) *chunk.Chunk {
	const rows, edges = 1 << 20, 28 << 20 / 12
	mem := memory.DefaultAllocator
	offsets, neighbors := make([]int32, rows+1), make([]uint32, edges)
	for row := range rows {
		offsets[row+1] = int32((row + 1) * edges / rows)
	}
	for e := range neighbors {
		neighbors[e] = uint32(e*2654435761) % rows
	}
	weight := randomArray(newRand(), mem, arrow.PrimitiveTypes.Float64, edges)
	b.Cleanup(weight.Release)
	return fromCSR(b, mem, chunk.Meta{Graph: "large", Rows: interval(rows), Cols: interval(rows)}, nil,
		offsets, neighbors, chunk.EdgeColumn{Name: "weight", Values: weight})
}

func BenchmarkOpen(b *testing.B) {
	buf := encode(b, largeChunk(b))
	b.SetBytes(int64(len(buf)))
	for b.Loop() {
		c, err := chunk.Open(buf)
		if err != nil {
			b.Fatal(err)
		}
		c.Release()
	}
}

func BenchmarkEncodeTo(b *testing.B) {
	made := largeChunk(b)
	opened := open(b, encode(b, made))
	for name, c := range map[string]*chunk.Chunk{"made": made, "opened": opened} {
		b.Run(name, func(b *testing.B) { benchmarkEncode(b, c) })
	}
}

func benchmarkEncode(b *testing.B, c *chunk.Chunk) {
	buf := chunk.Aligned(c.EncodedSize())
	b.SetBytes(int64(len(buf)))
	for b.Loop() {
		if _, err := c.EncodeTo(buf); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerify(b *testing.B)   { benchmarkCheck(b, (*chunk.Chunk).Verify) }
func BenchmarkValidate(b *testing.B) { benchmarkCheck(b, (*chunk.Chunk).Validate) }

func benchmarkCheck(b *testing.B, check func(*chunk.Chunk) error) {
	buf := encode(b, largeChunk(b))
	c := open(b, buf)
	b.SetBytes(int64(len(buf)))
	for b.Loop() {
		if err := check(c); err != nil {
			b.Fatal(err)
		}
	}
}
