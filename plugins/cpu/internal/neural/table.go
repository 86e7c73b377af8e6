package neural

import "github.com/penstock-db/penstock/algorithms/neural/dataflow"

// table is something of each value, by its ID: what a map is, without a search. Blocks look things up for each value
// that they compute, which on a small graph is as much work as computing it.
type table[X any] []X

// newTable is an empty table of values and whatever they are made of.
func newTable[X any](values []*dataflow.Value) table[X] {
	most := -1
	for _, v := range values {
		most = max(most, v.ID)
	}
	return make(table[X], most+1)
}

// tableOf is a table of n values at the most that has what is known of some.
func tableOf[X any](n int, of map[*dataflow.Value]X) table[X] {
	t := make(table[X], n)
	for v, x := range of {
		t[v.ID] = x
	}
	return t
}
