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
	Longest int64 // and of the row that has the most
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
			f.Entries, f.Longest = f.Entries+int64(len(places)), max(f.Longest, int64(len(places)))
			return nil
		}
		if f.Width == 0 {
			f.Width = len(row)
		}
		if len(row) != f.Width || f.Width == 0 {
			return wrongAt(ctx, snap, spec.Property, v, "has %d numbers; the first vertex has %d, and all must have as many, "+
				"one at least", len(row), f.Width)
		}
		entries := int64(0)
		for _, x := range row {
			if x != 0 {
				entries++
			}
		}
		f.Entries, f.Longest = f.Entries+entries, max(f.Longest, entries)
		return nil
	})
	if err == nil && f.Width == 0 {
		err = wrong(snap, spec.Property, "has no values: the graph has no vertices")
	}
	f.Sparse = f.Entries < int64(snap.Manifest().Vertices)*int64(f.Width)/sparseShare
	return f, err
}

// Stream reads all rows again, of one vertex after the other: all numbers, or where f is sparse those that are not 0,
// with their places. Both are valid until yield returns.
func Stream(ctx context.Context, snap *store.Snapshot, spec neural.FeatureSpec, f Features,
	yield func(v uint64, numbers []float32, places []uint32) error) error {
	numbers, at := make([]float32, 0, f.Width), make([]uint32, 0, f.Width)
	return each(ctx, snap, spec, func(v uint64, row []float32, places []uint32) error {
		switch {
		case f.Sparse == (places != nil):
			return yield(v, row, places)
		case !f.Sparse:
			numbers = numbers[:f.Width]
			clear(numbers)
			for i, place := range places {
				numbers[place] = row[i]
			}
			return yield(v, numbers, nil)
		}
		numbers, at = numbers[:0], at[:0]
		for i, x := range row {
			if x != 0 {
				numbers, at = append(numbers, x), append(at, uint32(i))
			}
		}
		return yield(v, numbers, at)
	})
}

// each reads the rows of all vertices: all numbers, or with places those of ones. Both are valid until yield returns.
func each(ctx context.Context, snap *store.Snapshot, s neural.FeatureSpec,
	yield func(v uint64, row []float32, places []uint32) error) error {
	var row []float32
	var places []uint32
	return snap.NodeProperty(ctx, s.Property, func(from uint64, block arrow.Array) error {
		l := listsOf(block)
		number := floatOf(l.values)
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
