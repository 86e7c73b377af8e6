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
	return d.Row(v, row).Factor(column)
}

// MaskRow is a row of a Mask value: four columns are drawn by 16 bits each of one random number.
type MaskRow struct {
	From  uint64  // what its numbers are drawn from
	Limit uint64  // a column is dropped whose 16 bits are below it; 0: none is
	Kept  float64 // the factor of others
}

// Row is a row of a Mask value.
func (d Dropout) Row(v *Value, row uint64) MaskRow { return d.Key(v).Row(row) }

// MaskKey is what all rows of a Mask value have in common.
type MaskKey MaskRow

// Key is what all rows of a Mask value have in common. The rate is taken to 1/65536.
func (d Dropout) Key(v *Value) MaskKey {
	limit := uint64(v.Number * laneRange)
	if d.Off || limit == 0 {
		return MaskKey{Kept: 1}
	}
	return MaskKey{From: mix(d.Seed ^ mix(uint64(d.Epoch)<<32^uint64(v.Draw))), Limit: limit, Kept: 1 / (1 - v.Number)}
}

// Row is a row of the mask.
func (k MaskKey) Row(row uint64) MaskRow {
	if k.Limit == 0 {
		return MaskRow(k)
	}
	return MaskRow{From: mix(k.From ^ mix(row)), Limit: k.Limit, Kept: k.Kept}
}

const (
	laneBits  = 16
	laneRange = 1 << laneBits
	lanes     = 64 / laneBits
)

// MaskStep lies between what two random numbers of a row are made of: 2⁶⁴ by the golden ratio.
const MaskStep uint64 = 0x9e3779b97f4a7c15

// Lanes is the random number of columns 4·block to 4·block+3, from its lowest 16 bits on.
func (m MaskRow) Lanes(block int) uint64 { return mix(m.From + uint64(block)*MaskStep) }

// Factor is the factor of a column.
func (m MaskRow) Factor(column int) float64 {
	if m.Limit > 0 && m.Keeps(column) == 0 {
		return 0
	}
	return m.Kept
}

// Keeps is 1 for a column that is kept and 0 for one that is dropped. It has no branch: which one comes next cannot be
// foretold.
func (m MaskRow) Keeps(column int) uint64 {
	at := uint(column)
	return 1 - (m.Lanes(int(at/lanes))>>(at%lanes*laneBits)%laneRange-m.Limit)>>63
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
