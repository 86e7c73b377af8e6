package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// Verify reads everything that a snapshot names, checks every checksum, and that degrees, counts and ids agree with
// one another. It holds the ids and degrees of all vertices, and one chunk.
//
// Errors: *DamagedError for the first piece that is not right.
func Verify(ctx context.Context, snapshot *Snapshot) error {
	s := verification{snapshot}
	for _, c := range s.manifest.Columns() {
		err := s.scan(ctx, c, 0, c.Rows, func(uint64, arrow.Array) error { return nil })
		if err != nil {
			return err
		}
	}
	if err := errors.Join(s.verifyIDs(ctx), s.verifyPlaces(ctx)); err != nil {
		return err
	}
	directions := []chunk.Direction{chunk.Out, chunk.In}
	if !s.manifest.Directed {
		directions = []chunk.Direction{chunk.Both}
	}
	for _, d := range directions {
		if err := s.verifyLists(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

func (s verification) damaged(kind string, format string, args ...any) error {
	return &failure.DamagedError{Graph: s.manifest.Graph, Kind: kind, Number: -1, Err: fmt.Errorf(format, args...)}
}

// verification is of one snapshot.
type verification struct{ *Snapshot }

// verifyIDs checks that the ids in search order ascend and lead to the dense ids that bear them.
func (s verification) verifyIDs(ctx context.Context) error {
	ids := s.manifest.IDs
	if ids.Base != nil {
		return nil
	}
	all, err := s.readIDs(ctx, ids.Ints, ids.Strings, 0, s.manifest.Vertices)
	if err != nil {
		return err
	}
	if ids.Sorted == nil {
		return s.verifyAscending(all)
	}
	sorted, err := s.readIDs(ctx, ids.Sorted.Ints, ids.Sorted.Strings, 0, s.manifest.Vertices)
	if err != nil {
		return err
	}
	if err := s.verifyAscending(sorted); err != nil {
		return err
	}
	return s.codes(ctx, ids.Sorted.Dense, "id index", 0, s.manifest.Vertices, func(at uint64, dense []uint32) error {
		for i, d := range dense {
			if int(d) >= all.Len() || manifest.IdAt(all, int(d)) != manifest.IdAt(sorted, int(at)+i) {
				return s.damaged("id index", "id %s leads to another vertex", sorted.Text(int(at)+i))
			}
		}
		return nil
	})
}

// verifyPlaces checks that the order of loading has every vertex once.
func (s verification) verifyPlaces(ctx context.Context) error {
	places, err := s.LoadPlaces(ctx)
	if err != nil {
		return err
	}
	taken := make([]bool, len(places))
	for v, place := range places {
		if uint64(place) >= s.manifest.Vertices || taken[place] {
			return s.damaged("load order", "vertex %d has the place %d, which is another's", v, place)
		}
		taken[place] = true
	}
	return nil
}

func (s verification) verifyAscending(ids formats.IDs) error {
	for i := 1; i < ids.Len(); i++ {
		if manifest.CompareIDs(manifest.IdAt(ids, i-1), manifest.IdAt(ids, i)) >= 0 {
			return s.damaged("id index", "id %s does not ascend", ids.Text(i))
		}
	}
	return nil
}

// verifyLists checks the chunks of one direction against the degrees and the counts.
func (s verification) verifyLists(ctx context.Context, d chunk.Direction) error {
	degrees := make([]int64, s.manifest.Vertices)
	if err := s.FillDegrees(ctx, d, degrees); err != nil {
		return err
	}
	v := &listVerifier{direction: d, degrees: degrees}
	for _, info := range s.Chunks(d) {
		if err := s.WholeChunk(ctx, info, v.chunk); err != nil {
			if damage := (*failure.DamagedError)(nil); errors.As(err, &damage) || ctx.Err() != nil {
				return err
			}
			return &failure.DamagedError{Graph: s.manifest.Graph, Kind: d.String() + "-chunk", Number: int64(info.Number),
				Err: err}
		}
	}
	if v.next != s.manifest.Vertices || v.edges != s.manifest.Edges {
		return s.damaged(d.String()+"-chunks", "they hold %d vertices and %d edges instead of %d and %d", v.next, v.edges,
			s.manifest.Vertices, s.manifest.Edges)
	}
	return nil
}

// listVerifier goes through chunks in row order.
type listVerifier struct {
	direction chunk.Direction
	degrees   []int64
	next      uint64 // the first row of the next chunk
	edges     uint64 // met so far, as the user counts
}

func (v *listVerifier) chunk(c *chunk.Chunk) error {
	if err := c.Validate(); err != nil {
		return err
	}
	rows := c.Meta().Rows
	if rows.Base != v.next || rows.End() > uint64(len(v.degrees)) {
		return fmt.Errorf("it begins at vertex %d instead of %d", rows.Base, v.next)
	}
	v.next = rows.End()
	for row, list := range c.Lists() {
		if err := v.list(row, list); err != nil {
			return err
		}
	}
	return nil
}

// list checks one vertex's list and counts its edges.
func (v *listVerifier) list(row uint64, list []uint32) error {
	if int64(len(list)) != v.degrees[row] {
		return fmt.Errorf("vertex %d has %d neighbors, its degree is %d", row, len(list), v.degrees[row])
	}
	if !slices.IsSorted(list) {
		return fmt.Errorf("the neighbors of vertex %d are out of order", row)
	}
	for _, n := range list {
		if v.direction != chunk.Both || uint64(n) >= row {
			v.edges++
		}
	}
	return nil
}
