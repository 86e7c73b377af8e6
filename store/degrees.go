package store

import (
	"context"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/penstock-db/penstock/formats/chunk"
)

// FillDegrees writes the length of every vertex's list of direction d to dst, which
// has one entry a vertex. In an undirected graph every direction gives the degree.
func (s *Snapshot) FillDegrees(ctx context.Context, d chunk.Direction, dst []int64) error {
	column, name := s.manifest.OutDegree, "out-degree"
	if d == chunk.In && s.manifest.Directed {
		column, name = s.manifest.InDegree, "in-degree"
	}
	return s.scan(ctx, *column, name, 0, s.manifest.Vertices, func(at uint64, values arrow.Array) error {
		degrees, ok := values.(*array.Uint32)
		if !ok {
			return errType
		}
		for i, degree := range degrees.Uint32Values() {
			dst[at+uint64(i)] = int64(degree)
		}
		return nil
	})
}
