package npu

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
)

// combine sets each value of into to Reduce of itself and of from.
func combine(r algorithms.Reduce, into, from vector.Column) {
	for i, x := range from.Floats {
		into.Floats[i] = r.CombineFloats(into.Floats[i], x)
	}
	for i, x := range from.Ints {
		into.Ints[i] = r.CombineInts(into.Ints[i], x)
	}
	for i, x := range from.Bools {
		into.Bools[i] = r.CombineBools(into.Bools[i], x)
	}
}

// combineAt does it where from's i-th value is for into's value at[i].
func combineAt(r algorithms.Reduce, into, from vector.Column, at []uint32) {
	for i, x := range from.Floats {
		into.Floats[at[i]] = r.CombineFloats(into.Floats[at[i]], x)
	}
	for i, x := range from.Ints {
		into.Ints[at[i]] = r.CombineInts(into.Ints[at[i]], x)
	}
	for i, x := range from.Bools {
		into.Bools[at[i]] = r.CombineBools(into.Bools[at[i]], x)
	}
}
