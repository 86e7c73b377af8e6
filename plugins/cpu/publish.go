package cpu

import (
	"encoding/binary"
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/cpu/vector"
)

// publish writes the value of a key where another session may be reading.
func (o keyOrder) publish(c *vector.Column, v int, key int64) {
	switch {
	case c.Floats != nil:
		atomic.StoreUint64(&asBits(c.Floats)[v], math.Float64bits(o.toFloat(key)))
	case c.Ints != nil:
		atomic.StoreInt64(&c.Ints[v], o.int(key))
	default:
		publishBool(c.Bools, v, o.toBool(key))
	}
}

// published is the key of a value that another session may be writing.
func (o keyOrder) published(c *vector.Column, v int) int64 {
	switch {
	case c.Floats != nil:
		return o.float(math.Float64frombits(atomic.LoadUint64(&asBits(c.Floats)[v])))
	case c.Ints != nil:
		return o.int(atomic.LoadInt64(&c.Ints[v]))
	default:
		return o.bool(publishedBool(c.Bools, v))
	}
}

// put writes the value of a key.
func (o keyOrder) put(c *vector.Column, v int, key int64) {
	switch {
	case c.Floats != nil:
		c.Floats[v] = o.toFloat(key)
	case c.Ints != nil:
		c.Ints[v] = o.int(key)
	default:
		c.Bools[v] = o.toBool(key)
	}
}

// There are no atomic operations on bytes: those on the four bytes that one is among do
// as well, since columns begin at multiples of 64 bytes and share none of these.

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
