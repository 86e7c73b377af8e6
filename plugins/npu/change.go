package npu

import (
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// markChanged sets bit i of words where before and after differ at i, and clears the
// others. Floats differ when their bits do.
func markChanged(words []uint64, before, after vector.Column) {
	clear(words)
	mark(words, before.Floats, after.Floats, func(a, b float64) bool { return math.Float64bits(a) != math.Float64bits(b) })
	mark(words, before.Ints, after.Ints, func(a, b int64) bool { return a != b })
	mark(words, before.Bools, after.Bools, func(a, b bool) bool { return a != b })
}

func mark[T any](words []uint64, before, after []T, differ func(a, b T) bool) {
	for i, x := range after {
		if differ(before[i], x) {
			words[i/64] |= 1 << (i % 64)
		}
	}
}

// distance is the change from before to after by norm, added to what others have changed by.
func distance(norm algorithms.Norm, by float64, before, after vector.Column) float64 {
	if norm == algorithms.NoNorm {
		return 0
	}
	add := func(old, new float64) {
		switch d := math.Abs(new - old); {
		case old == new: // infinities too
		case norm == algorithms.LInf:
			by = max(by, d)
		default:
			by += d
		}
	}
	for i, x := range after.Floats {
		add(before.Floats[i], x)
	}
	for i, x := range after.Ints {
		add(float64(before.Ints[i]), float64(x))
	}
	for i, x := range after.Bools {
		add(zeroOne(before.Bools[i]), zeroOne(x))
	}
	return by
}

func zeroOne(x bool) float64 {
	if x {
		return 1
	}
	return 0
}

// improve gives into's value v Reduce of itself and of what from has at i, and tells whether that
// is another. Either may be read or written by a session in another process: each is one load
// or one store.
func improve(r algorithms.Reduce, into vector.Column, v int, from vector.Column, i int) bool {
	switch {
	case into.Floats != nil:
		x := math.Float64frombits(atomic.LoadUint64(bitsAt(from.Floats, i)))
		return replace(bitsAt(into.Floats, v), math.Float64bits(r.CombineFloats(into.Floats[v], x)))
	case into.Ints != nil:
		x := int64(atomic.LoadUint64(bitsAt(from.Ints, i)))
		return replace(bitsAt(into.Ints, v), uint64(r.CombineInts(into.Ints[v], x)))
	}
	before := into.Bools[v]
	into.Bools[v] = r.CombineBools(before, from.Bools[i])
	return into.Bools[v] != before
}

func bitsAt[T float64 | int64](values []T, i int) *uint64 {
	return (*uint64)(unsafe.Pointer(&values[i]))
}

func replace(into *uint64, by uint64) bool {
	if *into == by {
		return false
	}
	atomic.StoreUint64(into, by)
	return true
}
