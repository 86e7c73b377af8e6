package cpu

import (
	"testing"
	"unsafe"
)

func TestOnHugePages_AlignedAndWithinItsSlack(t *testing.T) {
	for _, n := range []int{0, 1, hugePage/8 - 1, hugePage / 8, hugePage/8 + 1, 3*hugePage/8 + 7} {
		values := onHugePages[float64](n)
		if len(values) != n {
			t.Fatalf("%d values; expected %d", len(values), n)
		}
		if slack := hugeSlack(n); slack > 0 {
			if at := uintptr(unsafe.Pointer(&values[0])); at%hugePage != 0 {
				t.Errorf("%d values begin at %#x, not with a huge page", n, at)
			}
			if room := 8 * uint64(cap(values)); room > 8*uint64(n)+slack {
				t.Errorf("%d values have room for %d bytes", n, room)
			}
		}
		for v := range values {
			values[v]++
		}
	}
}
