package value

import (
	"math"
	"strings"
	"testing"
	"unsafe"
)

func TestValueIsThreeWords(t *testing.T) {
	if got := unsafe.Sizeof(Value{}); got != 24 {
		t.Fatalf("%d bytes", got)
	}
}

// walked is the size by looking at everything.
func walked(v Value) (size int64, depth int) {
	size = valueBytes
	within := func(e Value, extra int) {
		s, d := walked(e)
		size += (s + int64(extra) + 7) / 8 * 8
		depth = max(depth, d)
	}
	switch v.Kind() {
	case List:
		for _, e := range v.List() {
			within(e, 0)
		}
		return size, depth + 1
	case Map:
		for _, e := range v.Map() {
			within(e.Value, len(e.Key)+16)
		}
		return size, depth + 1
	}
	return v.Size(), 0
}

func TestExtentIsThatOfAllElements(t *testing.T) {
	r := newRandom(t)
	for range 20_000 {
		v := r.value(5)
		if size, depth := walked(v); v.Size() != size || v.Depth() != depth {
			t.Fatalf("%s: %d bytes, depth %d; want %d, %d", v.Text(), v.Size(), v.Depth(), size, depth)
		}
	}
}

func TestExtentIsBounded(t *testing.T) {
	v := OfString(strings.Repeat("a", 100))
	for range 300 {
		v = OfList([]Value{v, v})
	}
	if v.Depth() != math.MaxUint8 || v.Size() != valueBytes+math.MaxUint32*weightBytes {
		t.Errorf("%d bytes, depth %d", v.Size(), v.Depth())
	}
}
