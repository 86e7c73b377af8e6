package dataset

import (
	"context"
	"math"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/store"
)

// Features are the shape of all rows.
type Features struct {
	Width   int
	Entries int64 // numbers that are not 0, of all rows
	Sparse  bool  // rows take less as these and their places
}

// sparseShare is which part of all numbers may be other than 0 where rows are sparse: a number with its place takes
// twice the room, and products with it read two rows in no order.
const sparseShare = 4

// Measure reads all rows and finds their shape.
//
// Errors: *PropertyError names the first vertex whose row is missing, has another width than the first, or a number
// that is not finite.
func Measure(ctx context.Context, snap *store.Snapshot, spec neural.FeatureSpec) (Features, error) {
	f := Features{Width: spec.MultiHot}
	err := each(ctx, snap, spec, func(v uint64, row []float32, places []uint32) error {
		if spec.MultiHot > 0 {
			f.Entries += int64(len(places))
			return nil
		}
		if f.Width == 0 {
			f.Width = len(row)
		}
		if len(row) != f.Width || f.Width == 0 {
			return wrongAt(ctx, snap, spec.Property, v, "has %d numbers; the first vertex has %d, and all must have as many, "+
				"one at least", len(row), f.Width)
		}
		for _, x := range row {
			if x != 0 {
				f.Entries++
			}
		}
		return nil
	})
	if err == nil && f.Width == 0 {
		err = wrong(snap, spec.Property, "has no values: the graph has no vertices")
	}
	f.Sparse = f.Entries < int64(snap.Manifest().Vertices)*int64(f.Width)/sparseShare
	return f, err
}

// Rows are where features go: all numbers, or those that are not 0, with their places.
type Rows struct {
	Numbers []float32
	Offsets []int64 // of sparse rows: one more than there are vertices
	Places  []uint32
}

// Fill reads all rows again, to where they go.
func Fill(ctx context.Context, snap *store.Snapshot, spec neural.FeatureSpec, f Features, to Rows) error {
	at := int64(0)
	return each(ctx, snap, spec, func(v uint64, row []float32, places []uint32) error {
		if places == nil && !f.Sparse {
			copy(to.Numbers[v*uint64(f.Width):], row)
			return nil
		}
		if f.Sparse {
			to.Offsets[v] = at
		}
		put := func(place uint32, x float32) {
			if !f.Sparse {
				to.Numbers[v*uint64(f.Width)+uint64(place)] = x
				return
			}
			to.Numbers[at], to.Places[at] = x, place
			at++
		}
		for i, x := range row {
			switch {
			case places != nil:
				put(places[i], x)
			case x != 0:
				put(uint32(i), x)
			}
		}
		if f.Sparse {
			to.Offsets[v+1] = at
		}
		return nil
	})
}

// each reads the rows of all vertices: all numbers, or with places those of ones. Both are valid until yield returns.
func each(ctx context.Context, snap *store.Snapshot, s neural.FeatureSpec,
	yield func(v uint64, row []float32, places []uint32) error) error {
	var row []float32
	var places []uint32
	return snap.NodeProperty(ctx, s.Property, func(from uint64, block arrow.Array) error {
		l := listsOf(block)
		number := numberOf(l.values)
		if number == nil && block.Len() > 0 {
			return wrong(snap, s.Property, "is of type %v; features are numbers or lists of numbers", block.DataType())
		}
		for i := range block.Len() {
			v := from + uint64(i)
			if block.IsNull(i) && s.MultiHot == 0 {
				return wrongAt(ctx, snap, s.Property, v, "is missing; every vertex needs features")
			}
			first, last := l.bounds(i)
			if block.IsNull(i) {
				last = first
			}
			row, places = row[:0], places[:0]
			for k := first; k < last; k++ {
				x := number(int(k))
				if l.values.IsNull(int(k)) || float32(x) != float32(x) || math.IsInf(float64(float32(x)), 0) {
					return wrongAt(ctx, snap, s.Property, v, "has no finite number at place %d", k-first)
				}
				row = append(row, float32(x))
			}
			if s.MultiHot == 0 {
				if err := yield(v, normal(s, row), nil); err != nil {
					return err
				}
				continue
			}
			for _, x := range row {
				if x < 0 || x >= float32(s.MultiHot) || x != float32(int(x)) {
					return wrongAt(ctx, snap, s.Property, v, "names place %v; with --multi-hot %d places are integers from 0 to %d",
						x, s.MultiHot, s.MultiHot-1)
				}
				places = append(places, uint32(x))
			}
			slices.Sort(places)
			places = slices.Compact(places)
			row = row[:0]
			for range places {
				row = append(row, 1)
			}
			if places == nil {
				places = []uint32{}
			}
			if err := yield(v, normal(s, row), places); err != nil {
				return err
			}
		}
		return nil
	})
}

// normal is a row as it is learned from.
func normal(s neural.FeatureSpec, row []float32) []float32 {
	if !s.Normalize {
		return row
	}
	sum := 0.0
	for _, x := range row {
		sum += math.Abs(float64(x))
	}
	for i, x := range row {
		if sum > 0 {
			row[i] = float32(float64(x) / sum)
		}
	}
	return row
}
