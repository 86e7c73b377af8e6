// Package exchange is how sessions of a run, of which each has some of the edges or vertices, give each other values of
// vertices: by a column in the arena, on the processor.
//
//	Gather    accumulators ──▶ column            what has come to a session's vertices
//	Deliver   column ──▶ accumulators            what has come to them in another session
//	Learn     column ──▶ state, active set       in a task that settles: what another session knows
//
// The accumulators of a reduction that chooses are keys, of which the least wins (package ordering).
package exchange

import (
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Values says what accumulators are: what a program reduces, and of which type.
type Values struct {
	Reduce algorithms.Reduce
	Type   algorithms.Type
}

// Column is accumulators or states in the arena, and the vertices that a command is about.
type Column struct {
	of    Values
	n     int
	bytes []byte
	width uint64
	among []uint64 // nil: all vertices
}

// Open finds the column of n values that a command names, and its vertices.
func Open(a *arena.Arena, c plugins.Command, of Values, n int) (x Column, err error) {
	x = Column{of: of, n: n, width: kit.Width(of.Type)}
	if x.bytes, err = a.Bytes(c.At); err != nil || uint64(len(x.bytes)) < uint64(n)*x.width {
		return x, plugins.Errorf(plugins.KindInvalid, "the column to exchange: %d bytes for %d vertices: %w", len(x.bytes),
			n, err)
	}
	if c.Among != (arena.Range{}) {
		x.among, err = kit.OpenBitmap(a, c.Among, n)
	}
	return x, err
}

// Gather writes accumulators to the column.
func (x Column) Gather(acc []uint64) {
	x.members(func(v int) { x.store(v, x.of.value(acc[v])) })
}

// Deliver combines accumulators with the column.
func (x Column) Deliver(acc []uint64) {
	x.members(func(v int) { acc[v] = x.of.combine(acc[v], x.load(v)) })
}

// Learn improves a state by the column, and adds the vertices that it improves to the active ones.
func (x Column) Learn(state []byte, active []uint64) {
	order, t := ordering.Of(x.of.Reduce), x.of.Type
	own := Column{bytes: state, width: x.width}
	x.members(func(v int) {
		had, offered := own.load(v), x.load(v)
		if order.Key(t, offered) < order.Key(t, had) {
			own.store(v, offered)
			active[v/64] |= 1 << (v % 64)
		}
	})
}

// members calls do for each vertex among them.
func (x Column) members(do func(v int)) {
	if x.among != nil {
		for v := range bitmap.Members(x.among) {
			do(v)
		}
		return
	}
	for v := range x.n {
		do(v)
	}
}

// load is the value of a vertex, which another process may be writing.
func (x Column) load(v int) uint64 {
	if x.width == 1 {
		return uint64(x.bytes[v])
	}
	return atomic.LoadUint64((*uint64)(unsafe.Pointer(&x.bytes[8*v])))
}

func (x Column) store(v int, bits uint64) {
	if x.width == 1 {
		x.bytes[v] = byte(bits)
		return
	}
	atomic.StoreUint64((*uint64)(unsafe.Pointer(&x.bytes[8*v])), bits)
}

// value is that of an accumulator: those that are compared are keys.
func (of Values) value(acc uint64) uint64 {
	if shape.Accumulates(of.Reduce) {
		return acc
	}
	return ordering.Of(of.Reduce).Value(of.Type, int64(acc))
}

// combine is an accumulator and a value together.
func (of Values) combine(acc, value uint64) uint64 {
	if !shape.Accumulates(of.Reduce) {
		return uint64(min(int64(acc), ordering.Of(of.Reduce).Key(of.Type, value)))
	}
	if of.Type == algorithms.Float {
		return math.Float64bits(of.Reduce.CombineFloats(math.Float64frombits(acc), math.Float64frombits(value)))
	}
	return uint64(of.Reduce.CombineInts(int64(acc), int64(value)))
}
