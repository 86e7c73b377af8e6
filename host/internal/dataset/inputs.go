package dataset

import (
	"context"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/store"
)

// Fill writes the property of every vertex that a procedure is given to its column: whole numbers or floats.
//
// Errors: *PropertyError names the first vertex that has no value, unless the input says what that counts as, or one
// that the column cannot have: a float that is not finite, a whole number beyond 64 bits.
func Fill(ctx context.Context, snap *store.Snapshot, in algorithms.VertexInput, to algorithms.Values) error {
	whole, float, err := in.Default()
	needed := in.Missing == ""
	if err != nil && !needed {
		return wrong(snap, in.Property, "has no default: %v", err)
	}
	return snap.NodeProperty(ctx, in.Property, func(from uint64, block arrow.Array) error {
		wholes, floats := wholeOf(block), floatOf(block)
		if block.Len() > 0 && (wholes == nil && in.Type == algorithms.Int || floats == nil) {
			return wrong(snap, in.Property, "is of type %v; expected numbers", block.DataType())
		}
		for i := range block.Len() {
			v := from + uint64(i)
			missing, ok := block.IsNull(i), true
			switch {
			case missing && needed:
				return wrongAt(ctx, snap, in.Property, v, "is missing; each vertex needs one")
			case in.Type == algorithms.Int && missing:
				to.Ints[v] = whole
			case in.Type == algorithms.Int:
				to.Ints[v], ok = wholes(i)
			case missing:
				to.Floats[v] = float
			default:
				to.Floats[v] = floats(i)
				ok = to.Floats[v]-to.Floats[v] == 0
			}
			if !ok {
				return wrongAt(ctx, snap, in.Property, v, "is %s; expected a finite number of 64 bits", block.ValueStr(i))
			}
		}
		return nil
	})
}

// wholeOf reads a whole number of values, and tells whether it fits; nil: they are none.
func wholeOf(values arrow.Array) func(i int) (int64, bool) {
	switch a := values.(type) {
	case *array.Int64:
		return func(i int) (int64, bool) { return a.Value(i), true }
	case *array.Int32:
		return func(i int) (int64, bool) { return int64(a.Value(i)), true }
	case *array.Int16:
		return func(i int) (int64, bool) { return int64(a.Value(i)), true }
	case *array.Int8:
		return func(i int) (int64, bool) { return int64(a.Value(i)), true }
	case *array.Uint64:
		return func(i int) (int64, bool) { return int64(a.Value(i)), a.Value(i) <= math.MaxInt64 }
	case *array.Uint32:
		return func(i int) (int64, bool) { return int64(a.Value(i)), true }
	case *array.Uint16:
		return func(i int) (int64, bool) { return int64(a.Value(i)), true }
	case *array.Uint8:
		return func(i int) (int64, bool) { return int64(a.Value(i)), true }
	}
	return nil
}

// floatOf reads a number of values as a float; nil: they are no numbers.
func floatOf(values arrow.Array) func(i int) float64 {
	if whole := wholeOf(values); whole != nil {
		return func(i int) float64 {
			x, fits := whole(i)
			if !fits {
				return float64(uint64(x))
			}
			return float64(x)
		}
	}
	return numberOf(values)
}
