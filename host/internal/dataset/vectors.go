package dataset

import (
	"context"
	"errors"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/store"
)

// NodeProperties reads the values of a property of all vertices, block by block, as a *store.Snapshot does.
type NodeProperties interface {
	NodeProperty(ctx context.Context, name string, yield func(from uint64, values arrow.Array) error) error
}

// Width is how many numbers the first vertex has of a property: 1 where it has none, or there is no vertex.
func Width(ctx context.Context, of NodeProperties, property string) (int, error) {
	width, enough := 1, errors.New("the first vertex is known")
	err := of.NodeProperty(ctx, property, func(_ uint64, block arrow.Array) error {
		if block.Len() == 0 {
			return nil
		}
		if from, to := listsOf(block).bounds(0); !block.IsNull(0) {
			width = int(to - from)
		}
		return enough
	})
	if errors.Is(err, enough) {
		err = nil
	}
	return width, err
}

// FillVectors writes the vectors of all vertices to their rows, those of several properties one behind the other.
//
// Errors: *PropertyError names the first vertex whose vector is missing, of another length than the first, or has a
// number that is not finite in 32 bits.
func FillVectors(ctx context.Context, snap *store.Snapshot, in algorithms.VectorInput, to []float32) error {
	at := 0
	for _, property := range in.Properties {
		width, err := Width(ctx, snap, property)
		if err != nil {
			return err
		}
		if at+width > in.Width {
			return wrong(snap, property, "has %d numbers behind %d others; expected %d in all", width, at, in.Width)
		}
		spec := neural.FeatureSpec{Property: property}
		err = each(ctx, snap, spec, func(v uint64, row []float32, _ []uint32) error {
			if len(row) != width {
				return wrongAt(ctx, snap, property, v, "has %d numbers; the first vertex has %d, and all must have as many",
					len(row), width)
			}
			copy(to[int(v)*in.Width+at:], row)
			return nil
		})
		if err != nil {
			return err
		}
		at += width
	}
	return nil
}
