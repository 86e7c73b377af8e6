package chunk_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// check is what a reader of untrusted bytes does.
func check(buf []byte) error {
	c, err := chunk.Open(buf)
	if err != nil {
		return err
	}
	defer c.Release()
	return c.Verify()
}

func TestOpen_EveryFlippedBitIsFound(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	four := chunktest.Encode(t, fourVertices(t, mem))
	some := chunktest.Encode(t, randomCSR(t, rand.New(rand.NewPCG(5, 5)), mem).chunk(t, mem))
	for _, buf := range [][]byte{four, some} {
		for bit := range 8 * len(buf) {
			buf[bit/8] ^= 1 << (bit % 8)
			var damaged *chunk.CorruptError
			if err := check(buf); !errors.As(err, &damaged) {
				t.Fatalf("bit %d of byte %d flipped: %v; expected a CorruptError", bit%8, bit/8, err)
			}
			buf[bit/8] ^= 1 << (bit % 8)
		}
		if err := check(buf); err != nil {
			t.Fatalf("all bits flipped back: %v", err)
		}
	}
}

func TestVerify_NamesTheBuffer(t *testing.T) {
	buf := chunktest.Encode(t, fourVertices(t, chunktest.LeakChecked(t)))
	for at, part := range map[int]string{772: "offsets", 832: "neighbor", 896: "weight"} {
		buf[at] ^= 1
		if err := check(buf); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("byte %d changed: %v; expected an error about %s", at, err, part)
		}
		buf[at] ^= 1
	}
}

func TestOpen_EveryTruncationIsFound(t *testing.T) {
	whole := chunktest.Encode(t, fourVertices(t, chunktest.LeakChecked(t)))
	for n := range whole {
		buf := chunk.Aligned(n)
		copy(buf, whole)
		var damaged *chunk.CorruptError
		if err := check(buf); !errors.As(err, &damaged) {
			t.Fatalf("cut to %d bytes: %v; expected a CorruptError", n, err)
		}
		copy(buf, whole[len(whole)-n:]) // the front is missing
		if err := check(buf); !errors.As(err, &damaged) {
			t.Fatalf("the last %d bytes: %v; expected a CorruptError", n, err)
		}
	}
	var damaged *chunk.CorruptError
	if err := check(nil); !errors.As(err, &damaged) {
		t.Errorf("no bytes: %v; expected a CorruptError", err)
	}
}

func TestOpen_Misaligned(t *testing.T) {
	whole := chunktest.Encode(t, fourVertices(t, chunktest.LeakChecked(t)))
	for _, off := range []int{1, 8, 63} {
		buf := chunk.Aligned(len(whole) + off)[off:]
		copy(buf, whole)
		var bad *chunk.BufferError
		if err := check(buf); !errors.As(err, &bad) || bad.Misaligned != off {
			t.Errorf("%d bytes off: %v; expected a BufferError", off, err)
		}
	}
}

func TestOpen_LaterVersion(t *testing.T) {
	buf := chunktest.Encode(t, fourVertices(t, chunktest.LeakChecked(t)))
	chunk.SetVersion(buf, chunk.Version+1)
	var later *chunk.VersionError
	if err := check(buf); !errors.As(err, &later) || later.Found != chunk.Version+1 || later.Supported != chunk.Version {
		t.Errorf("%v; expected a VersionError", err)
	}
}

func TestEncodeTo_BufferDoesNotServe(t *testing.T) {
	c := fourVertices(t, chunktest.LeakChecked(t))
	size := c.EncodedSize()
	var bad *chunk.BufferError
	if _, err := c.EncodeTo(chunk.Aligned(size - 1)); !errors.As(err, &bad) || bad.Need != size || bad.Have != size-1 {
		t.Errorf("one byte short: %v; expected a BufferError", err)
	}
	if _, err := c.EncodeTo(chunk.Aligned(size + 8)[8:]); !errors.As(err, &bad) || bad.Misaligned != 8 {
		t.Errorf("8 bytes off: %v; expected a BufferError", err)
	}
	dirty := chunk.Aligned(size + 64)
	for i := range dirty {
		dirty[i] = 0xa5
	}
	n, err := c.EncodeTo(dirty)
	if err != nil || n != size || dirty[size] != 0xa5 {
		t.Fatalf("into used, longer memory: %d bytes, %v", n, err)
	}
	requireEqual(t, chunktest.Open(t, dirty[:n]), c)
}

// A copy keeps the checksums of its origin, so copying does not hide damage.
func TestEncodeTo_DoesNotHideDamage(t *testing.T) {
	buf := chunktest.Encode(t, fourVertices(t, chunktest.LeakChecked(t)))
	buf[896] ^= 1
	c, err := chunk.Open(buf)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Release()
	var damaged *chunk.CorruptError
	if err := check(chunktest.Encode(t, c)); !errors.As(err, &damaged) {
		t.Errorf("%v; expected a CorruptError", err)
	}
}

// Headers that are sealed but damaged: each bit flipped where no hash tells.
func TestOpen_DamagedHeaderBehindItsHash(t *testing.T) {
	mem := chunktest.LeakChecked(t)
	for _, c := range []*chunk.Chunk{fourVertices(t, mem), randomCSR(t, rand.New(rand.NewPCG(6, 6)), mem).chunk(t, mem)} {
		whole := chunktest.Encode(t, c)
		buf := chunk.Aligned(len(whole))
		for bit := range 8 * len(whole) {
			copy(buf, whole)
			buf[bit/8] ^= 1 << (bit % 8)
			chunk.Reseal(buf)
			exercise(t, buf)
		}
	}
}
