package cpu

import (
	"encoding/binary"
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// publish gives v the state that its accumulator holds, where another session may be reading.
func (p *program) publish(v int) {
	switch first, key := p.state[0], p.keys[v]; {
	case first.Floats != nil:
		atomic.StoreUint64(&asBits(first.Floats)[v], math.Float64bits(p.order.toFloat(key)))
	case first.Ints != nil:
		atomic.StoreInt64(&first.Ints[v], p.order.int(key))
	default:
		publishBool(first.Bools, v, p.order.toBool(key))
	}
}

// keyOf is the key of a value that another session may be writing.
func (p *program) keyOf(c vector.Column, v int) int64 {
	switch {
	case c.Floats != nil:
		return p.order.float(math.Float64frombits(atomic.LoadUint64(&asBits(c.Floats)[v])))
	case c.Ints != nil:
		return p.order.int(atomic.LoadInt64(&c.Ints[v]))
	default:
		return p.order.bool(published(c.Bools, v))
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

func published(column []bool, v int) bool {
	var bytes [4]byte
	binary.NativeEndian.PutUint32(bytes[:], atomic.LoadUint32(around(column, v)))
	return bytes[v&3] != 0
}
