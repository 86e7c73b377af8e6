package snapshot

import (
	"context"
	"sort"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// FillIDs writes the `id` of every vertex to dst, which has one entry a vertex: the
// user's integer id; in a graph with any string id, the place in the order of loading.
func (s *Snapshot) FillIDs(ctx context.Context, dst []int64) error {
	return s.fillIDs(ctx, 0, s.manifest.Vertices, dst)
}

// ID is the `id` of one vertex.
func (s *Snapshot) ID(ctx context.Context, dense uint64) (int64, error) {
	var id [1]int64
	err := s.fillIDs(ctx, dense, dense+1, id[:])
	return id[0], err
}

// fillIDs writes the `id` of vertices [from, to) to dst.
func (s *Snapshot) fillIDs(ctx context.Context, from, to uint64, dst []int64) error {
	ids, base := s.manifest.IDs, from
	switch {
	case ids.Base != nil:
		base += uint64(*ids.Base)
	case ids.Kind == manifest.IntegerIDs:
		return s.copyInts(ctx, *ids.Ints, "integer id", from, to, dst)
	case ids.Loaded != nil:
		return s.codes(ctx, *ids.Loaded, "load order", from, to, func(at uint64, places []uint32) error {
			for i, place := range places {
				dst[at-from+uint64(i)] = int64(place)
			}
			return nil
		})
	}
	for i := range dst {
		dst[i] = int64(base) + int64(i)
	}
	return ctx.Err()
}

// LoadPlaces are the places of all vertices in the order of loading, by dense id: 4
// bytes a vertex; nil when every dense id is its place.
func (s *Snapshot) LoadPlaces(ctx context.Context) ([]uint32, error) {
	if s.manifest.IDs.Loaded == nil {
		return nil, nil
	}
	places := make([]uint32, s.manifest.Vertices)
	err := s.codes(ctx, *s.manifest.IDs.Loaded, "load order", 0, s.manifest.Vertices, func(at uint64, some []uint32) error {
		copy(places[at:], some)
		return nil
	})
	return places, err
}

// UserIDs are the user ids of the dense ids [from, to).
func (s *Snapshot) UserIDs(ctx context.Context, from, to uint64) (formats.IDs, error) {
	ids := s.manifest.IDs
	if ids.Base != nil {
		return consecutiveIDs(*ids.Base+int64(from), int(to-from)), nil
	}
	return s.readIDs(ctx, ids.Ints, ids.Strings, from, to)
}

func consecutiveIDs(first int64, n int) formats.IDs {
	all := make([]int64, n)
	for i := range all {
		all[i] = first + int64(i)
	}
	return formats.IDs{Ints: all}
}

// Vertex finds the dense id of a user id: by the manifest the block in which it must
// be, by binary search its place there.
//
// Errors: *UnknownVertexError.
func (s *Snapshot) Vertex(ctx context.Context, user string) (uint64, error) {
	ids, id := s.manifest.IDs, manifest.ParseUserID(user)
	unknown := &failure.UnknownVertexError{Graph: s.manifest.Graph, Vertex: user}
	if ids.Base != nil {
		if at := uint64(id.N - *ids.Base); user != "" && id.Text == "" && at < s.manifest.Vertices {
			return at, nil
		}
		return 0, unknown
	}
	block := sort.Search(len(ids.First), func(i int) bool { return manifest.CompareIDs(manifest.ParseUserID(ids.First[i]), id) > 0 })
	if block == 0 || user == "" {
		return 0, unknown
	}
	from := uint64(block-1) * manifest.BlockRows
	at, ok, err := s.searchBlock(ctx, id, from)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, unknown
	}
	if ids.Sorted == nil {
		return at, nil
	}
	return s.denseAt(ctx, at)
}

// searchBlock finds id among the ascending ids of the block that begins at from.
func (s *Snapshot) searchBlock(ctx context.Context, id manifest.UserID, from uint64) (at uint64, ok bool, err error) {
	ints, texts := s.manifest.IDs.Ints, s.manifest.IDs.Strings
	if sorted := s.manifest.IDs.Sorted; sorted != nil {
		ints, texts = sorted.Ints, sorted.Strings
	}
	ids, err := s.readIDs(ctx, ints, texts, from, min(from+manifest.BlockRows, s.manifest.Vertices))
	if err != nil {
		return 0, false, err
	}
	i, ok := sort.Find(ids.Len(), func(i int) int {
		n, text := ids.At(i)
		return manifest.CompareIDs(id, manifest.UserID{N: n, Text: text})
	})
	return from + uint64(i), ok, nil
}

// denseAt is the dense id in row at of the id index.
func (s *Snapshot) denseAt(ctx context.Context, at uint64) (dense uint64, err error) {
	err = s.codes(ctx, s.manifest.IDs.Sorted.Dense, "id index", at, at+1, func(_ uint64, codes []uint32) error {
		dense = uint64(codes[0])
		return nil
	})
	return dense, err
}

// NextID is an integer above all ids of the snapshot.
func (s *Snapshot) NextID(ctx context.Context) (int64, error) {
	ids := s.manifest.IDs
	switch {
	case ids.Base != nil:
		return *ids.Base + int64(s.manifest.Vertices), nil
	case ids.Ints == nil:
		return 0, nil
	}
	next := int64(0)
	buffer := make([]int64, manifest.BlockRows)
	for from := uint64(0); from < s.manifest.Vertices; from += manifest.BlockRows {
		some := buffer[:min(manifest.BlockRows, s.manifest.Vertices-from)]
		if err := s.copyInts(ctx, *ids.Ints, "integer id", from, from+uint64(len(some)), some); err != nil {
			return 0, err
		}
		for _, n := range some {
			next = max(next, n+1)
		}
	}
	return next, nil
}
