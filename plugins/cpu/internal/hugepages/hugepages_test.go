package hugepages

import (
	"testing"
	"unsafe"
)

func TestOnHugePages_AlignedAndWithinItsSlack(t *testing.T) {
	t.Run("double", testOnHugePages[float64])
	t.Run("single", testOnHugePages[float32])
}

func testOnHugePages[T float64 | int64 | float32](t *testing.T) {
	size := int(unsafe.Sizeof(*new(T)))
	for _, n := range []int{0, 1, pageSize/size - 1, pageSize / size, pageSize/size + 1, 3*pageSize/size + 7} {
		values := Make[T](n)
		if len(values) != n {
			t.Fatalf("%d values; expected %d", len(values), n)
		}
		if slack := Slack(uint64(size * n)); slack > 0 {
			if at := uintptr(unsafe.Pointer(&values[0])); at%pageSize != 0 {
				t.Errorf("%d values begin at %#x, not with a huge page", n, at)
			}
			if room := uint64(size * cap(values)); room > uint64(size*n)+slack {
				t.Errorf("%d values have room for %d bytes", n, room)
			}
		}
		for v := range values {
			values[v]++
		}
	}
}
