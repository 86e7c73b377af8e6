package dataflow

import "math"

// Dropout says which elements a dropout drops: a function of numbers alone, so that it is the same however vertices
// and edges are cut, in what order they come, forward and backward, and on every device.
type Dropout struct {
	Seed  uint64
	Epoch int
	Off   bool // nothing is dropped, as when a model predicts
}

// Factor is what a Mask value has at a row and column. The row of a vertex is its number, that of an edge EdgeRow.
func (d Dropout) Factor(v *Value, row uint64, column int) float64 {
	if d.Off || v.Number == 0 {
		return 1
	}
	h := mix(d.Key(v)^mix(row)) + uint64(column)*0x9e3779b97f4a7c15
	if float64(mix(h)>>40) < v.Number*(1<<24) {
		return 0
	}
	return 1 / (1 - v.Number)
}

// Key is the part of the hash that rows and columns of a Mask have in common.
func (d Dropout) Key(v *Value) uint64 {
	return mix(d.Seed ^ mix(uint64(d.Epoch)<<32^uint64(v.Draw)))
}

// EdgeRow numbers an edge by its ends, which are known wherever it is met. Parallel edges drop together.
func EdgeRow(source, target uint64) uint64 { return mix(source)*3 + target + math.MaxUint32 }

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
