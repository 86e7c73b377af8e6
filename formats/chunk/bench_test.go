package chunk_test

import (
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

func BenchmarkOpen(b *testing.B) {
	buf := chunktest.Encode(b, chunktest.Large(b))
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
	made := chunktest.Large(b)
	opened := chunktest.Open(b, chunktest.Encode(b, made))
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
	buf := chunktest.Encode(b, chunktest.Large(b))
	c := chunktest.Open(b, buf)
	b.SetBytes(int64(len(buf)))
	for b.Loop() {
		if err := check(c); err != nil {
			b.Fatal(err)
		}
	}
}
