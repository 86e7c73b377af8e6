package snapshot

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
)

// FillDegrees writes the length of every vertex's list of direction d to dst, which
// has one entry a vertex. In an undirected graph every direction gives the degree.
func (s *Snapshot) FillDegrees(ctx context.Context, d chunk.Direction, dst []int64) error {
	return s.eachDegrees(ctx, d, func(at uint64, degrees []uint32) error {
		for i, degree := range degrees {
			dst[at+uint64(i)] = int64(degree)
		}
		return nil
	})
}

// Degrees is FillDegrees in 4 bytes a vertex.
func (s *Snapshot) Degrees(ctx context.Context, d chunk.Direction, dst []uint32) error {
	return s.eachDegrees(ctx, d, func(at uint64, degrees []uint32) error {
		copy(dst[at:], degrees)
		return nil
	})
}

// LargestDegree is the largest of Degrees; 0 without vertices.
func (s *Snapshot) LargestDegree(ctx context.Context, d chunk.Direction) (most uint32, err error) {
	err = s.eachDegrees(ctx, d, func(_ uint64, degrees []uint32) error {
		most = max(most, slices.Max(degrees))
		return nil
	})
	return most, err
}

func (s *Snapshot) eachDegrees(ctx context.Context, d chunk.Direction,
	yield func(at uint64, degrees []uint32) error) error {
	column, name := s.manifest.OutDegree, "out-degree"
	if d == chunk.In && s.manifest.Directed {
		column, name = s.manifest.InDegree, "in-degree"
	}
	if column == nil { // of a graph that was created and never compacted
		return ctx.Err()
	}
	return s.codes(ctx, *column, name, 0, s.manifest.Vertices, yield)
}
