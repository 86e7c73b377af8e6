package ordering

import (
	"encoding/binary"
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Publish writes the value of a key where another session may be reading.
func (o Order) Publish(c *vector.Column, v int, key int64) {
	switch {
	case c.Floats != nil:
		atomic.StoreUint64(&Bits(c.Floats)[v], math.Float64bits(o.ToFloat(key)))
	case c.Ints != nil:
		atomic.StoreInt64(&c.Ints[v], o.Int(key))
	default:
		publishBool(c.Bools, v, o.toBool(key))
	}
}

// Published is the key of a value that another session may be writing.
func (o Order) Published(c *vector.Column, v int) int64 {
	switch {
	case c.Floats != nil:
		return o.Float(math.Float64frombits(atomic.LoadUint64(&Bits(c.Floats)[v])))
	case c.Ints != nil:
		return o.Int(atomic.LoadInt64(&c.Ints[v]))
	default:
		return o.Bool(publishedBool(c.Bools, v))
	}
}

// At is the key of a value that no other session writes.
func (o Order) At(c *vector.Column, v int) int64 {
	switch {
	case c.Floats != nil:
		return o.Float(c.Floats[v])
	case c.Ints != nil:
		return o.Int(c.Ints[v])
	default:
		return o.Bool(c.Bools[v])
	}
}

// Improve writes the value of a key, if it is better than what is there, and tells whether it was. Other sessions may
// be reading and writing the column.
func (o Order) Improve(c *vector.Column, v int, key int64) bool {
	if key >= o.Published(c, v) {
		return false
	}
	o.Publish(c, v, key)
	return true
}

// Put writes the value of a key.
func (o Order) Put(c *vector.Column, v int, key int64) {
	switch {
	case c.Floats != nil:
		c.Floats[v] = o.ToFloat(key)
	case c.Ints != nil:
		c.Ints[v] = o.Int(key)
	default:
		c.Bools[v] = o.toBool(key)
	}
}

// There are no atomic operations on bytes: those on the four bytes that one is among do
// as well, since columns of an arena begin at multiples of 64 bytes and share none of these. A column in memory of
// one's own may end before the four bytes do, so it is read by At.

func around(column []bool, v int) *uint32 { return (*uint32)(unsafe.Pointer(&column[v&^3])) }

func publishBool(column []bool, v int, x bool) {
	var bytes [4]byte
	if bytes[v&3] = 1; x {
		atomic.OrUint32(around(column, v), binary.NativeEndian.Uint32(bytes[:]))
	} else {
		atomic.AndUint32(around(column, v), ^binary.NativeEndian.Uint32(bytes[:]))
	}
}

func publishedBool(column []bool, v int) bool {
	var bytes [4]byte
	binary.NativeEndian.PutUint32(bytes[:], atomic.LoadUint32(around(column, v)))
	return bytes[v&3] != 0
}

// Number is the value of v as a number.
func Number(c *vector.Column, v int) float64 {
	switch {
	case c.Floats != nil:
		return c.Floats[v]
	case c.Ints != nil:
		return float64(c.Ints[v])
	default:
		return ZeroOne(c.Bools[v])
	}
}

// Number is the value of a key, of the type of c, as a number.
func (o Order) Number(c *vector.Column, key int64) float64 {
	switch {
	case c.Floats != nil:
		return o.ToFloat(key)
	case c.Ints != nil:
		return float64(o.Int(key))
	default:
		return ZeroOne(o.toBool(key))
	}
}

// Bits are the bits of values, where they lie.
func Bits(values []float64) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(values))), len(values))
}

// ZeroOne is a bool as a number.
func ZeroOne(x bool) float64 {
	if x {
		return 1
	}
	return 0
}
