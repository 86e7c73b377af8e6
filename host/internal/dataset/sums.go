package dataset

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store"
)

// FillSums writes the sums of an edge property over the edges that lead out of each vertex; values below 0 count
// nothing (algorithms.Graph.OutWeight). It reads the chunks once, and tells how many bytes.
//
// Errors: *PropertyError names the first vertex whose edges lack a value, or add up to more than a float.
func FillSums(ctx context.Context, snap *store.Snapshot, in algorithms.VertexInput, to algorithms.Values) (read int,
	err error) {
	clear(to.Floats)
	for c, err := range snap.EachChunk(ctx, chunk.Out, in.Sums) {
		if err != nil {
			return read, err
		}
		read += c.EncodedSize()
		values, _ := c.Float64s(in.Sums)
		for v, list := range c.Lists() {
			sum := to.Floats[v]
			for _, x := range values[:len(list)] {
				sum += max(x, 0)
			}
			if sum-sum != 0 {
				return read, wrongAt(ctx, snap, in.Sums, v,
					"is missing at an edge that leads out, or its sum over these is no finite number; each edge needs a number")
			}
			to.Floats[v], values = sum, values[len(list):]
		}
	}
	return read, nil
}
