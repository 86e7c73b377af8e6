// Package chunktest is what tests of chunks share: chunks made, encoded and opened, each checked for all there is to
// check.
package chunktest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/long"
)

// LeakChecked is an allocator that fails the test unless all of it is given back.
func LeakChecked(t testing.TB) memory.Allocator {
	mem := memory.NewCheckedAllocator(memory.NewGoAllocator())
	t.Cleanup(func() { mem.AssertSize(t, 0) })
	return mem
}

// EachSeed runs a property for many seeds; a failure's name says which. A short test takes a fifth of them, beginning
// at any; PENSTOCK_LONG=1 takes all.
func EachSeed(t *testing.T, seeds uint64, property func(t *testing.T, r *rand.Rand)) {
	first := uint64(0)
	if most := seeds / 5; most > 0 && !long.Tests() {
		first, seeds = rand.Uint64N(seeds-most), most
	}
	for seed := first; seed < first+seeds; seed++ {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { property(t, rand.New(rand.NewPCG(seed, 0))) })
	}
}

// FromCSR is a chunk that lives as long as the test.
func FromCSR(t testing.TB, mem memory.Allocator, meta chunk.Meta, vertices []uint32, offsets []int32,
	neighbors []uint32,
	columns ...chunk.EdgeColumn) *chunk.Chunk {
	t.Helper()
	c, err := chunk.FromCSR(mem, meta, vertices, offsets, neighbors, columns)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Release)
	return c
}

// Encode is a chunk, encoded.
func Encode(t testing.TB, c *chunk.Chunk) []byte {
	t.Helper()
	buf := chunk.Aligned(c.EncodedSize())
	if n, err := c.EncodeTo(buf); err != nil || n != len(buf) || n%64 != 0 {
		t.Fatalf("EncodeTo wrote %d bytes (%v); EncodedSize said %d", n, err, len(buf))
	}
	return buf
}

// Open opens buf and checks all there is to check.
func Open(t testing.TB, buf []byte) *chunk.Chunk {
	t.Helper()
	c, err := chunk.Open(buf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Release)
	if err := c.Verify(); err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

// Large encodes to 32 MiB and a little: 2^20 rows of two to three edges with a weight.
func Large(t testing.TB) *chunk.Chunk {
	const rows, edges = 1 << 20, 28 << 20 / 12
	mem, interval := memory.DefaultAllocator, chunk.Interval{Count: rows}
	offsets, neighbors := make([]int32, rows+1), make([]uint32, edges)
	for row := range rows {
		offsets[row+1] = int32((row + 1) * edges / rows)
	}
	weight := array.NewFloat64Builder(mem)
	defer weight.Release()
	for e := range neighbors {
		neighbors[e] = uint32(e*2654435761) % rows
		weight.Append(float64(e))
	}
	values := weight.NewArray()
	t.Cleanup(values.Release)
	return FromCSR(t, mem, chunk.Meta{Graph: "large", Rows: interval, Cols: interval}, nil,
		offsets, neighbors, chunk.EdgeColumn{Name: "weight", Values: values})
}
