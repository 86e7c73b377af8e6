package components

import (
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// cells is a column of floats or integers as the memory of both, ordered by keys.
type cells struct {
	bits   []int64
	order  ordering.Order
	floats bool
}

func cellsOf(column vector.Column, order ordering.Order) cells {
	if column.Floats == nil {
		return cells{bits: column.Ints, order: order}
	}
	bits := unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(column.Floats))), len(column.Floats))
	return cells{bits: bits, order: order, floats: true}
}

// key is that of a cell's bits.
func (c *cells) key(bits int64) int64 {
	if c.floats {
		return c.order.Float(math.Float64frombits(uint64(bits)))
	}
	return c.order.Int(bits)
}

// value is the bits that a key stands for.
func (c *cells) value(key int64) int64 {
	if c.floats {
		return int64(math.Float64bits(c.order.ToFloat(key)))
	}
	return c.order.Int(key)
}

// lower is an atomic minimum by keys.
func (c *cells) lower(v uint32, key int64) {
	for {
		old := atomic.LoadInt64(&c.bits[v])
		if c.key(old) <= key || atomic.CompareAndSwapInt64(&c.bits[v], old, c.value(key)) {
			return
		}
	}
}
