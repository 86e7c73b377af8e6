package refusals

import (
	"math"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// flips is how many random bits the suite flips, one at a time.
const flips = 100

// Damage uploads chunks that are no chunks, or not those of this run. The store has
// checked checksums, so a device need not; but no bytes may lead it astray.
func Damage(t *testing.T, device plugins.Device) {
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
			rig.Chunks[0].Bytes = c.damage(t, rig.Chunks[0].Bytes)
			command := rig.Upload(0)
			_, err := rig.Talk.Exchange(command)
			rig.Talk.Refused(err, plugins.KindChunk, command, false)
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
	larger := drawn.DenseGraph(r, 500, 1000)
	rig := sampleRig(t, device)
	strangers := drive.Encode(t, r, larger, rig.Chunks[0].Direction, drive.Partition{Rows: 60, Cols: 1}, nil)
	rig.Chunks[0] = strangers[len(strangers)-1]
	if len(rig.Chunks[0].Bytes) > int(rig.Room.At[0].Length) {
		t.Skip("it does not fit where a chunk of this graph does")
	}
	command := rig.Upload(0)
	_, err := rig.Talk.Exchange(command)
	rig.Talk.Refused(err, plugins.KindChunk, command, false)
}

// testFlips flips bits. Nobody can tell a weight from another, so the run may succeed;
// what it may not do is fail in any other way than by KindChunk.
func testFlips(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	for range flips {
		rig := sampleRig(t, device)
		b := rig.Chunks[r.IntN(len(rig.Chunks))].Bytes
		bit := r.IntN(8 * len(b))
		b[bit/8] ^= 1 << (bit % 8)
		if _, err := rig.Iterate(); err != nil && plugins.KindOf(err) != plugins.KindChunk {
			t.Errorf("bit %d flipped: %v; expected %q", bit, err, plugins.KindChunk)
		}
		rig.Close()
	}
}
