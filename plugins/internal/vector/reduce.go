package vector

import "github.com/penstock-db/penstock/algorithms"

// Reduce sets each value of c to r of itself and of from's.
func (c Column) Reduce(r algorithms.Reduce, from Column) {
	for i, x := range from.Floats {
		c.Floats[i] = r.CombineFloats(c.Floats[i], x)
	}
	for i, x := range from.Ints {
		c.Ints[i] = r.CombineInts(c.Ints[i], x)
	}
	for i, x := range from.Bools {
		c.Bools[i] = r.CombineBools(c.Bools[i], x)
	}
}

// ReduceAt does it where from[i] is for c[indices[i]].
func (c Column) ReduceAt(r algorithms.Reduce, from Column, indices []uint32) {
	for i, x := range from.Floats {
		c.Floats[indices[i]] = r.CombineFloats(c.Floats[indices[i]], x)
	}
	for i, x := range from.Ints {
		c.Ints[indices[i]] = r.CombineInts(c.Ints[indices[i]], x)
	}
	for i, x := range from.Bools {
		c.Bools[indices[i]] = r.CombineBools(c.Bools[indices[i]], x)
	}
}
