package store

import (
	"context"

	"github.com/penstock-db/penstock/formats/chunk"
)

// FillDegrees writes the length of every vertex's list of direction d to dst, which
// has one entry a vertex. In an undirected graph every direction gives the degree.
func (s *Snapshot) FillDegrees(ctx context.Context, d chunk.Direction, dst []int64) error {
	column, name := s.manifest.OutDegree, "out-degree"
	if d == chunk.In && s.manifest.Directed {
		column, name = s.manifest.InDegree, "in-degree"
	}
	return s.codes(ctx, *column, name, 0, s.manifest.Vertices, func(at uint64, degrees []uint32) error {
		for i, degree := range degrees {
			dst[at+uint64(i)] = int64(degree)
		}
		return nil
	})
}
