package ordering

import (
	"math"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Keys are those of a column of floats or integers that no other session writes, for loops that look at many: Of is
// Order.At without a call.
type Keys struct {
	bits []int64
	mask int64 // what a negative number has turned round
	flip int64
}

// KeysOf are the keys of a column, which is not of bools.
func (o Order) KeysOf(c vector.Column) Keys {
	if c.Floats == nil {
		return Keys{bits: c.Ints, flip: o.Flip}
	}
	bits := unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(c.Floats))), len(c.Floats))
	return Keys{bits: bits, mask: math.MaxInt64, flip: o.Flip}
}

// infinite is twice the bits of infinity: all that is more without its sign is NaN.
const infinite = 0x7FF << 53

// Of is the key of one.
func (k *Keys) Of(v uint32) int64 {
	x := k.bits[v]
	if k.mask != 0 && uint64(x)<<1 > infinite {
		return math.MinInt64
	}
	return x ^ x>>63&k.mask ^ k.flip
}
