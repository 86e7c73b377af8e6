package plugintest

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// flips is how many random bits the suite flips, one at a time.
const flips = 100

// testDamage uploads chunks that are no chunks, or not those of this run. The store has
// checked checksums, so a device need not; but no bytes may lead it astray.
func testDamage(t *testing.T, device plugins.Device) {
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, b []byte) []byte
	}{
		{"zeros", func(_ *testing.T, b []byte) []byte { clear(b); return b }},
		{"nothing", func(_ *testing.T, b []byte) []byte { return b[:0] }},
		{"the first half", func(_ *testing.T, b []byte) []byte { return b[:len(b)/128*64] }},
		{"a bit of its header", func(_ *testing.T, b []byte) []byte { b[200] ^= 4; return b }},
		{"a neighbor that there is not", func(t *testing.T, b []byte) []byte {
			neighbors := opened(t, b).Neighbors()
			neighbors[len(neighbors)/2] = math.MaxUint32
			return b
		}},
		{"offsets that fall", func(t *testing.T, b []byte) []byte {
			offsets := opened(t, b).Offsets()
			offsets[1] = offsets[len(offsets)-1] + 1
			return b
		}},
		{"offsets below zero", func(t *testing.T, b []byte) []byte {
			opened(t, b).Offsets()[1] = math.MinInt32
			return b
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rig := sampleRig(t, device)
			rig.chunks[0].bytes = c.damage(t, rig.chunks[0].bytes)
			command := rig.upload(0)
			_, err := rig.talk.exchange(command)
			rig.talk.refused(err, plugins.KindChunk, command, false)
		})
	}
	t.Run("of another graph", func(t *testing.T) { testStranger(t, device) })
	t.Run("any bit", func(t *testing.T) { testFlips(t, device) })
}

// opened is a view into b, by which it can be damaged to measure.
func opened(t *testing.T, b []byte) *chunk.Chunk {
	t.Helper()
	c, err := chunk.Open(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Release)
	return c
}

// testStranger uploads a valid chunk of a larger graph.
func testStranger(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	larger := denseGraph(r, 500, 1000)
	rig := sampleRig(t, device)
	strangers := encode(t, r, larger, rig.chunks[0].direction, partition{rows: 60, cols: 1}, nil)
	rig.chunks[0] = strangers[len(strangers)-1]
	if len(rig.chunks[0].bytes) > int(rig.room.at[0].Length) {
		t.Skip("it does not fit where a chunk of this graph does")
	}
	command := rig.upload(0)
	_, err := rig.talk.exchange(command)
	rig.talk.refused(err, plugins.KindChunk, command, false)
}

// testFlips flips bits. Nobody can tell a weight from another, so the run may succeed;
// what it may not do is fail in any other way than by KindChunk.
func testFlips(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	for range flips {
		rig := sampleRig(t, device)
		b := rig.chunks[r.IntN(len(rig.chunks))].bytes
		bit := r.IntN(8 * len(b))
		b[bit/8] ^= 1 << (bit % 8)
		if _, err := rig.iterate(); err != nil && plugins.KindOf(err) != plugins.KindChunk {
			t.Errorf("bit %d flipped: %v; expected %q", bit, err, plugins.KindChunk)
		}
		rig.close()
	}
}
