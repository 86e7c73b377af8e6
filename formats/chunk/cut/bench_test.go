package cut_test

import (
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
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
	c := chunktest.Large(b)
	active := halfActive(c)
	for b.Loop() {
		if cut.Select(c, active, 0, chunk.Places{}).Edges() == 0 {
			b.Fatal("nothing is selected")
		}
	}
}

func BenchmarkCut(b *testing.B) {
	all := cut.All(chunktest.Large(b))
	for b.Loop() {
		if len(all.Cut(1<<20, 0)) < 2 || len(all.CutSums(1<<20, 0)) < 2 {
			b.Fatal("nothing is cut")
		}
	}
}

func BenchmarkJoin(b *testing.B) {
	c := chunktest.Large(b)
	part := cut.Select(c, halfActive(c), 0, chunk.Places{})
	dst := chunk.Aligned(c.EncodedSize())
	b.SetBytes(int64(part.Bytes()))
	for b.Loop() {
		whole, err := cut.Join(part)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := whole.EncodeTo(dst, 1); err != nil {
			b.Fatal(err)
		}
	}
}
