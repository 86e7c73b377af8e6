package driver_test

import (
	"testing"

	"github.com/penstock-db/penstock/plugins/cuda/driver"
)

// What the link and the card's memory can do, for whatever is to be held against it.
const benchBytes = 256 << 20

func BenchmarkStream_CopyIn(b *testing.B) {
	for _, memory := range []struct {
		name string
		of   func(testing.TB) []byte
	}{{"Pinned", pinned}, {"Unpinned", func(testing.TB) []byte { return make([]byte, benchBytes) }}} {
		b.Run(memory.name, func(b *testing.B) {
			c := open(b, 0)
			s := stream(b, c)
			p, from := alloc(b, s, benchBytes), memory.of(b)
			each(b, s, func() error { return s.CopyIn(p, from) })
		})
	}
}

func BenchmarkStream_CopyOut(b *testing.B) {
	c := open(b, 0)
	s := stream(b, c)
	p, to := alloc(b, s, benchBytes), pinned(b)
	each(b, s, func() error { return s.CopyOut(to, p) })
}

// Copy counts a byte that is read and written as two.
func BenchmarkStream_Copy(b *testing.B) {
	c := open(b, 0)
	s := stream(b, c)
	from, to := alloc(b, s, benchBytes), alloc(b, s, benchBytes)
	each(b, s, func() error { return s.Copy(to, from, benchBytes) })
	b.SetBytes(2 * benchBytes)
}

// each does it b.N times, one after the other on the card.
func each(b *testing.B, s driver.Stream, do func() error) {
	b.SetBytes(benchBytes)
	must(b, do())
	must(b, s.Synchronize())
	b.ResetTimer()
	for range b.N {
		must(b, do())
	}
	must(b, s.Synchronize())
	b.StopTimer()
}

func pinned(t testing.TB) []byte {
	memory, err := driver.AllocPinned(benchBytes)
	must(t, err)
	t.Cleanup(func() { must(t, driver.FreePinned(memory)) })
	return memory
}
