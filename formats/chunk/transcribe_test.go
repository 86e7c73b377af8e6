package chunk_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

func anyMeta(chunk.Meta) error { return nil }

// unaligned is buf at an address that is no multiple of anything.
func unaligned(buf []byte) []byte {
	moved := make([]byte, len(buf)+1)
	copy(moved[1:], buf)
	return moved[1:]
}

// Transcribing is opening, projecting and encoding.
func TestTranscribe_EncodesTheProjection(t *testing.T) {
	chunktest.EachSeed(t, 100, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomCSR(t, r, mem)
		encoded := chunktest.Encode(t, g.chunk(t, mem))
		r.Shuffle(len(g.columns), func(i, k int) { g.columns[i], g.columns[k] = g.columns[k], g.columns[i] })
		g.columns = g.columns[:r.IntN(len(g.columns)+1)]
		var names []string
		for _, c := range g.columns {
			names = append(names, c.Name)
		}
		want := chunktest.Encode(t, g.chunk(t, mem))
		dst := chunk.Aligned(len(want))
		n, err := chunk.Transcribe(dst, unaligned(encoded), anyMeta, names...)
		if err != nil || !bytes.Equal(dst[:n], want) {
			t.Fatalf("%d bytes, %v; expected %d", n, err, len(want))
		}
	})
}

func TestTranscribe_EveryFlippedBitIsFound(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	want := chunktest.Encode(t, fourVertices(t, mem))
	buf := unaligned(want)
	dst := chunk.Aligned(2 * len(buf))
	for bit := range 8 * len(buf) {
		buf[bit/8] ^= 1 << (bit % 8)
		var damaged *chunk.CorruptError
		n, err := chunk.Transcribe(dst, buf, anyMeta, "weight")
		if !errors.As(err, &damaged) && (err != nil || !bytes.Equal(dst[:n], want)) { // padding is not read
			t.Fatalf("bit %d of byte %d flipped: %v; expected a CorruptError", bit%8, bit/8, err)
		}
		buf[bit/8] ^= 1 << (bit % 8)
	}
}

func TestTranscribe_Refuses(t *testing.T) {
	buf := chunktest.Encode(t, fourVertices(t, chunktest.LeakChecked(t)))
	dst, other := chunk.Aligned(len(buf)), errors.New("another chunk")
	if _, err := chunk.Transcribe(dst, buf, func(chunk.Meta) error { return other }); !errors.Is(err, other) {
		t.Error(err)
	}
	var missing *chunk.ColumnError
	if _, err := chunk.Transcribe(dst, buf, anyMeta, "length"); !errors.As(err, &missing) {
		t.Error(err)
	}
	var short *chunk.BufferError
	if _, err := chunk.Transcribe(dst[:64], buf, anyMeta, "weight"); !errors.As(err, &short) || short.Need != len(buf) {
		t.Error(err)
	}
	if _, err := chunk.Transcribe(unaligned(dst), buf, anyMeta); !errors.As(err, &short) {
		t.Error(err)
	}
}

// A chunk of an earlier version keeps its checksums, and so its version, in a copy.
func TestTranscribe_EarlierVersion(t *testing.T) {
	for version := 1; version < chunk.Version; version++ {
		for name := range golden {
			want := readGolden(t, version, name)
			c := chunktest.Open(t, want)
			got := chunk.Aligned(len(want))
			n, err := chunk.Transcribe(got, want, anyMeta, names(c)...)
			if err != nil || !bytes.Equal(got[:n], want) {
				t.Errorf("%s of version %d is copied as another chunk, error %v", name, version, err)
			}
		}
	}
}

func names(c *chunk.Chunk) (names []string) {
	for _, field := range c.Columns() {
		names = append(names, field.Name)
	}
	return names
}
