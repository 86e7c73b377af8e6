package chunk_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/metrics"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// FuzzOpen feeds arbitrary bytes, as they are and with a trailer that vouches for them.
// Run it with -fuzzminimizetime 10x: by default go test spends a minute on shortening
// each interesting chunk, and hardly any time on finding the next.
func FuzzOpen(f *testing.F) {
	golden, _ := filepath.Glob("testdata/v*/*.chunk")
	for _, name := range golden {
		bytes, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(bytes)
	}
	mem := chunktest.LeakChecked(f)
	for seed := range uint64(8) {
		f.Add(chunktest.Encode(f, randomCSR(f, rand.New(rand.NewPCG(seed, 9)), mem).chunk(f, mem)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		buf := chunk.Aligned(len(data))
		copy(buf, data)
		exercise(t, buf)
		if len(buf) >= chunk.TailSize {
			chunk.Reseal(buf)
			exercise(t, buf)
		}
	})
}

// exercise calls all there is on bytes that may be anything. Only typed errors may come
// of it, little memory may be taken, and a chunk that is accepted must survive encoding.
func exercise(t *testing.T, buf []byte) {
	t.Helper()
	if grown := leastGrowth(buf); grown > 64*uint64(len(buf))+1<<20 {
		t.Fatalf("Open took %d bytes of memory for %d bytes", grown, len(buf))
	}
	c, err := chunk.Open(buf)
	if err != nil {
		requireTyped(t, err)
		return
	}
	defer c.Release()
	if err := c.Verify(); err != nil {
		requireTyped(t, err)
	}
	valid := c.Validate()
	again := chunktest.Encode(t, c)
	if valid != nil {
		requireTyped(t, valid)
		return
	}
	for _, column := range c.Columns() {
		c.Float64s(column.Name)
	}
	o, err := chunk.Open(again)
	if err != nil {
		t.Fatalf("accepted, but its encoding is not: %v", err)
	}
	defer o.Release()
	requireSame(t, o, c)
}

// leastGrowth is how much memory Open takes: the least of some tries, for the fuzzing engine allocates too.
func leastGrowth(buf []byte) uint64 {
	least := uint64(math.MaxUint64)
	for try := 0; try < 5 && least > 1<<20; try++ {
		before := allocated()
		c, err := chunk.Open(buf)
		least = min(least, allocated()-before)
		if err == nil {
			c.Release()
		}
	}
	return least
}

func requireTyped(t *testing.T, err error) {
	t.Helper()
	var damaged *chunk.CorruptError
	var invalid *chunk.InvalidError
	var version *chunk.VersionError
	if !errors.As(err, &damaged) && !errors.As(err, &invalid) && !errors.As(err, &version) {
		t.Fatalf("%T %v is not an error that Open, Verify or Validate promise", err, err)
	}
}

// requireSame compares bytes, for NaN equals nothing.
func requireSame(t *testing.T, got, want *chunk.Chunk) {
	t.Helper()
	if got.Meta() != want.Meta() || got.Stats() != want.Stats() || len(got.Columns()) != len(want.Columns()) {
		t.Fatalf("%+v %+v; expected %+v %+v", got.Meta(), got.Stats(), want.Meta(), want.Stats())
	}
	for i, column := range want.Columns() {
		if !got.Columns()[i].Equal(column) {
			t.Fatalf("column %v; expected %v", got.Columns()[i], column)
		}
	}
	one, other := chunk.Body(got), chunk.Body(want)
	for i := range other {
		if !bytes.Equal(one[i], other[i]) {
			t.Fatalf("buffer %d is % x; expected % x", i, one[i], other[i])
		}
	}
}

// allocated is how many bytes this process has ever taken from the heap.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
