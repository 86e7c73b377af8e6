package cuda

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
)

// keyOrder turns messages into keys as kernels/keys.cuh does: the better one has the lower key, as signed 64-bit numbers.
// The CPU device has the same order.
type keyOrder struct{ flip int64 } // 0 or -1

func orderOf(r algorithms.Reduce) keyOrder {
	if r == algorithms.Max || r == algorithms.Or {
		return keyOrder{flip: -1}
	}
	return keyOrder{}
}

// key is that of a value of type t, of which these are the bits.
func (o keyOrder) key(t algorithms.Type, bits uint64) int64 {
	if t != algorithms.Float {
		return int64(bits) ^ o.flip
	}
	if math.IsNaN(math.Float64frombits(bits)) {
		return math.MinInt64
	}
	return signMagnitude(int64(bits)) ^ o.flip
}

// value are the bits that a key is of.
func (o keyOrder) value(t algorithms.Type, key int64) uint64 {
	if t != algorithms.Float {
		return uint64(key ^ o.flip)
	}
	return uint64(signMagnitude(key ^ o.flip))
}

// signMagnitude converts between sign-magnitude and two's complement; it is its own inverse.
func signMagnitude(bits int64) int64 { return bits ^ (bits>>63)&math.MaxInt64 }
