package packed

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// chunkLike is bytes as chunks have them: lists of rising neighbors, near their vertex or not, then weights; and an end
// that is no whole block.
func chunkLike(rng *rand.Rand, lists int) []byte {
	var b []byte
	near, most := rng.IntN(2) == 0, uint32(1)<<rng.IntN(32)
	for v := range uint32(lists) {
		list := make([]uint32, rng.IntN(20))
		for i := range list {
			list[i] = rng.Uint32() % most
			if near {
				list[i] = v + rng.Uint32()%9 - 4
			}
		}
		slices.Sort(list)
		for _, u := range list {
			b = binary.LittleEndian.AppendUint32(b, u)
		}
	}
	for range rng.IntN(lists) {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(rng.Float64()))
	}
	return append(b, make([]byte, rng.IntN(blockBytes))...)
}

// Whatever is packed is unpacked again, in the same memory as well, and takes no more than a byte a block more.
func TestPack(t *testing.T) {
	rng := testseed.Rand(t)
	seen := [forms]int{}
	for range 200 {
		raw := chunkLike(rng, 1+rng.IntN(3000))
		var packed []byte
		for block := range slices.Chunk(raw, blockBytes) {
			at := len(packed)
			packed = pack(slices.Grow(packed, mostPacked), block)
			seen[packed[at]]++
			if took := len(packed) - at; took > 1+len(block) {
				t.Fatalf("%d bytes take %d", len(block), took)
			}
			got := make([]byte, len(block))
			rest, ok := unpack(got, packed[at:])
			if !ok || len(rest) > 0 || !bytes.Equal(got, block) {
				t.Fatalf("another block of form %d: %v, %d bytes are left", packed[at], ok, len(rest))
			}
		}
	}
	if slices.Contains(seen[:], 0) {
		t.Errorf("not all forms: %v", seen)
	}
}

// Lists of neighbors take less, those near their vertex with signs; random bytes stay as they are.
func TestPack_Form(t *testing.T) {
	rng := testseed.Rand(t)
	var far, near, random []byte
	for v := range uint32(blockWords / 4) {
		list := []uint32{rng.Uint32() >> 12, rng.Uint32() >> 12, rng.Uint32() >> 12, rng.Uint32() >> 12}
		slices.Sort(list)
		for i := range uint32(4) {
			far = binary.LittleEndian.AppendUint32(far, list[i])
			near = binary.LittleEndian.AppendUint32(near, 1000+v+3*i-6)
			random = binary.LittleEndian.AppendUint32(random, rng.Uint32())
		}
	}
	for _, of := range []struct {
		block      []byte
		form       byte
		most, less int
	}{
		{far, rising, blockBytes * 9 / 10, 0},
		{near, signed, controls + blockWords + 2, 0},
		{random, asIs, blockBytes + 1, blockBytes},
	} {
		packed := pack(make([]byte, 0, mostPacked), of.block)
		if packed[0] != of.form || len(packed) > of.most || len(packed) < of.less {
			t.Errorf("form %d and %d bytes, not form %d and %d at most", packed[0], len(packed), of.form, of.most)
		}
	}
}

// Whatever bytes it is given, unpack ends, within them.
func FuzzUnpack(f *testing.F) {
	f.Add(pack(make([]byte, 0, mostPacked), make([]byte, blockBytes)), blockBytes)
	f.Add([]byte{signed, 1, 2, 3}, blockBytes)
	f.Add([]byte{asIs, 1, 2, 3}, 3)
	f.Fuzz(func(t *testing.T, packed []byte, size int) {
		block := make([]byte, max(0, min(size, blockBytes)))
		rest, ok := unpack(block, packed)
		if ok && len(rest) >= len(packed) {
			t.Error("nothing was unpacked")
		}
		if !ok && rest != nil {
			t.Error("what is left of what is no block")
		}
	})
}

func BenchmarkBlock(b *testing.B) {
	raw, word := make([]byte, blockBytes), uint32(0)
	for i := range blockWords {
		word += uint32(i*i*7919) % 400
		binary.LittleEndian.PutUint32(raw[4*i:], word)
	}
	packed := pack(make([]byte, 0, mostPacked), raw)
	for name, do := range map[string]func(){
		"pack":   func() { packed = pack(packed[:0], raw) },
		"unpack": func() { unpack(raw, packed) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(blockBytes)
			for b.Loop() {
				do()
			}
		})
	}
}
