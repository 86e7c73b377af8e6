package chunk_test

import (
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
)

// halfActive is a bitmap of every other vertex of a large chunk.
func halfActive(c *chunk.Chunk) []uint64 {
	active := make([]uint64, c.Meta().Rows.Count/64)
	for i := range active {
		active[i] = 0x5555_5555_5555_5555
	}
	return active
}

func BenchmarkSelect(b *testing.B) {
	c := largeChunk(b)
	active := halfActive(c)
	for b.Loop() {
		if c.Select(active, 0, chunk.Places{}).Edges() == 0 {
			b.Fatal("nothing is selected")
		}
	}
}

func BenchmarkCut(b *testing.B) {
	all := largeChunk(b).SelectAll()
	for b.Loop() {
		if len(all.Cut(1<<20, 0)) < 2 || len(all.CutSums(1<<20, 0)) < 2 {
			b.Fatal("nothing is cut")
		}
	}
}

func BenchmarkJoin(b *testing.B) {
	mem := memory.DefaultAllocator
	large := largeChunk(b)
	weight := array.NewFloat64Builder(mem)
	defer weight.Release()
	weight.AppendValues(make([]float64, large.Edges()), nil)
	values := weight.NewArray()
	defer values.Release()
	c := fromCSR(b, mem, large.Meta(), nil, large.Offsets(), large.Neighbors(), chunk.EdgeColumn{Name: "weight", Values: values})
	part := c.Select(halfActive(c), 0, chunk.Places{})
	dst := chunk.Aligned(c.EncodedSize())
	b.SetBytes(int64(part.Bytes()))
	for b.Loop() {
		whole, err := chunk.Join(part)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := whole.EncodeTo(dst, 1); err != nil {
			b.Fatal(err)
		}
	}
}
