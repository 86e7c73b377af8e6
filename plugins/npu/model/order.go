package model

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
)

// order maps values to whole numbers, the best to the least: what Min, Max, And and Or choose.
type order struct{ reduce algorithms.Reduce }

// worst is the key of the identity.
const worst = math.MaxInt64

// notNumber is the key of NaN, which beats everything.
const notNumber = math.MinInt64

func (o order) float(x float64) int64 {
	switch {
	case x == o.reduce.FloatIdentity():
		return worst
	case x != x:
		return notNumber
	case o.reduce == algorithms.Max:
		x = -x
	}
	return sortable(int64(math.Float64bits(x)))
}

// sortable maps the bits of floats to numbers of the same order, and back.
func sortable(bits int64) int64 { return bits ^ int64(uint64(bits>>63)>>1) }

func (o order) int(x int64) int64 {
	if o.reduce == algorithms.Max {
		return ^x
	}
	return x
}

// bool of Or has true for the best, of And false.
func (o order) bool(x bool) int64 {
	if x == (o.reduce == algorithms.Or) {
		return 0
	}
	return worst
}

// keys are those of a column.
func (o order) keys(c vector.Column) []int64 {
	keys := make([]int64, columnLen(c))
	for v, x := range c.Floats {
		keys[v] = o.float(x)
	}
	for v, x := range c.Ints {
		keys[v] = o.int(x)
	}
	for v, x := range c.Bools {
		keys[v] = o.bool(x)
	}
	return keys
}

// set gives value v of c the value of a key.
func (o order) set(c vector.Column, v int, key int64) {
	switch {
	case c.Ints != nil:
		c.Ints[v] = o.int(key)
	case c.Bools != nil:
		c.Bools[v] = (key == 0) == (o.reduce == algorithms.Or)
	case key == worst:
		c.Floats[v] = o.reduce.FloatIdentity()
	case key == notNumber:
		c.Floats[v] = math.NaN()
	case o.reduce == algorithms.Max:
		c.Floats[v] = -math.Float64frombits(uint64(sortable(key)))
	default:
		c.Floats[v] = math.Float64frombits(uint64(sortable(key)))
	}
}

// keyOf is that of value v of c.
func (o order) keyOf(c vector.Column, v int) int64 {
	switch {
	case c.Floats != nil:
		return o.float(c.Floats[v])
	case c.Ints != nil:
		return o.int(c.Ints[v])
	}
	return o.bool(c.Bools[v])
}

// betters tells whether a message of a key would better some state of a lane from one vertex to another.
func (o order) betters(key int64, l *Lane, from, to int) bool {
	if columnLen(l.State) == 0 {
		return true
	}
	for v := from; v < to; v++ {
		if key < o.keyOf(l.State, v) {
			return true
		}
	}
	return false
}
