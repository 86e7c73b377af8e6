// Package activity finds what an iteration has changed: the active set, as words of a bitmap,
// and the norm of the change.
package activity

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
	"github.com/penstock-db/penstock/plugins/internal/ordering"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// Change is what an iteration did to some vertices.
type Change struct {
	Active uint64  // how many send next
	By     float64 // the norm of the change of the first column
}

// ChangeBytes is what a change takes.
const ChangeBytes = 16

// And takes the change of more vertices into account, by norm.
func (c Change) And(d Change, norm algorithms.Norm) Change {
	c.Active += d.Active
	if norm == algorithms.LInf {
		c.By = max(c.By, d.By)
	} else {
		c.By += d.By
	}
	return c
}

// Total puts the blocks together in their order.
func Total(blocks []Change, norm algorithms.Norm) Change {
	var all Change
	for _, c := range blocks {
		all = all.And(c, norm)
	}
	return all
}

// MarkChanged sets bit i of words where before and after differ at i, clears the others,
// and counts those set. Floats differ when their bits do.
func MarkChanged(words []uint64, before, after vector.Column) uint64 {
	clear(words)
	for i, x := range after.Floats {
		if math.Float64bits(x) != math.Float64bits(before.Floats[i]) {
			words[i/64] |= 1 << (i % 64)
		}
	}
	for i, x := range after.Ints {
		if x != before.Ints[i] {
			words[i/64] |= 1 << (i % 64)
		}
	}
	for i, x := range after.Bools {
		if x != before.Bools[i] {
			words[i/64] |= 1 << (i % 64)
		}
	}
	return bitmap.Count(words)
}

// MarkUnlike is markChanged where x stood everywhere before.
func MarkUnlike(words []uint64, after vector.Column, x vector.Scalar) uint64 {
	clear(words)
	unlike(words, after.Ints, x.Int)
	unlike(words, after.Bools, x.Bool)
	unlike(words, ordering.Bits(after.Floats), math.Float64bits(x.Float))
	return bitmap.Count(words)
}

// unlike puts a word together before it writes it: to add to one in memory takes longer.
func unlike[T comparable](words []uint64, values []T, x T) {
	for at := 0; len(values) > 0; at++ {
		some := values[:min(64, len(values))]
		values = values[len(some):]
		word := uint64(0)
		for i, y := range some {
			word |= bit(y != x) << (i & 63)
		}
		words[at] = word
	}
}

func bit(x bool) uint64 {
	if x {
		return 1
	}
	return 0
}

// Distance is the change from before to after by norm.
func Distance(norm algorithms.Norm, before, after vector.Column) float64 {
	var d Change
	if norm == algorithms.NoNorm {
		return 0
	}
	if norm == algorithms.L1 && after.Floats != nil {
		return l1(before.Floats, after.Floats)
	}
	for i, x := range after.Floats {
		d = d.And(Change{By: Moved(norm, before.Floats[i], x)}, norm)
	}
	for i, x := range after.Ints {
		d = d.And(Change{By: Moved(norm, float64(before.Ints[i]), float64(x))}, norm)
	}
	for i, x := range after.Bools {
		d = d.And(Change{By: Moved(norm, ordering.ZeroOne(before.Bools[i]), ordering.ZeroOne(x))}, norm)
	}
	return d.By
}

// Moved is how far one value went; equal values, infinities too, differ by 0.
func Moved(norm algorithms.Norm, old, new float64) float64 {
	if old == new || norm == algorithms.NoNorm {
		return 0
	}
	return math.Abs(new - old)
}

// l1 keeps two sums, so that an addition need not wait for the one before it.
func l1(before, after []float64) float64 {
	by := func(i int) float64 {
		d := math.Abs(after[i] - before[i])
		if d != d { // as between equal infinities
			return Moved(algorithms.L1, before[i], after[i])
		}
		return d
	}
	var a, b float64
	before = before[:len(after)]
	i := 0
	for ; i+1 < len(after); i += 2 {
		a += by(i)
		b += by(i + 1)
	}
	if i < len(after) {
		a += by(i)
	}
	return a + b
}

// Replace sets those of before that are members of some to after.
func Replace(before, after vector.Column, some []uint64) {
	replaceEach(before.Floats, after.Floats, some)
	replaceEach(before.Ints, after.Ints, some)
	replaceEach(before.Bools, after.Bools, some)
}

func replaceEach[T any](before, after []T, some []uint64) {
	if before == nil {
		return
	}
	for i := range bitmap.Members(some) {
		before[i] = after[i]
	}
}

// FillSome sets those of c that are members of some to x.
func FillSome(c vector.Column, x vector.Scalar, some []uint64) {
	for i := range bitmap.Members(some) {
		c.Slice(i, i+1).Fill(x)
	}
}
