package snapshot

import (
	"context"
	"sort"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// IDs are the ids of a snapshot's vertices: dense ids, which columns and lists are made of; the users' own; and places
// in the order of loading. Its methods may be called from several goroutines.
type IDs struct {
	columns  columns
	ids      manifest.IDs // where they are
	vertices uint64
}

// FillIDs writes the `id` of every vertex to dst, which has one entry a vertex: the
// user's integer id; in a graph with any string id, the place in the order of loading.
func (l IDs) FillIDs(ctx context.Context, dst []int64) error {
	return l.fillIDs(ctx, 0, l.vertices, dst)
}

// ID is the `id` of one vertex.
func (l IDs) ID(ctx context.Context, dense uint64) (int64, error) {
	var id [1]int64
	err := l.fillIDs(ctx, dense, dense+1, id[:])
	return id[0], err
}

// fillIDs writes the `id` of vertices [from, to) to dst.
func (l IDs) fillIDs(ctx context.Context, from, to uint64, dst []int64) error {
	ids, base := l.ids, from
	switch {
	case ids.Base != nil:
		base += uint64(*ids.Base)
	case ids.Kind == manifest.IntegerIDs:
		return l.columns.copyInts(ctx, *ids.Ints, "integer id", from, to, dst)
	case ids.Loaded != nil:
		return l.columns.codes(ctx, *ids.Loaded, "load order", from, to, func(at uint64, places []uint32) error {
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
func (l IDs) LoadPlaces(ctx context.Context) ([]uint32, error) {
	if l.ids.Loaded == nil {
		return nil, nil
	}
	places := make([]uint32, l.vertices)
	err := l.columns.codes(ctx, *l.ids.Loaded, "load order", 0, l.vertices, func(at uint64, some []uint32) error {
		copy(places[at:], some)
		return nil
	})
	return places, err
}

// UserIDs are the user ids of the dense ids [from, to).
func (l IDs) UserIDs(ctx context.Context, from, to uint64) (formats.IDs, error) {
	ids := l.ids
	if ids.Base != nil {
		return consecutiveIDs(*ids.Base+int64(from), int(to-from)), nil
	}
	return l.columns.readIDs(ctx, ids.Ints, ids.Strings, from, to)
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
func (l IDs) Vertex(ctx context.Context, user string) (uint64, error) {
	ids, id := l.ids, manifest.ParseUserID(user)
	unknown := &failure.UnknownVertexError{Graph: l.columns.graph, Vertex: user}
	if ids.Base != nil {
		if at := uint64(id.N - *ids.Base); user != "" && id.Text == "" && at < l.vertices {
			return at, nil
		}
		return 0, unknown
	}
	block := sort.Search(len(ids.First), func(i int) bool {
		return manifest.CompareIDs(manifest.ParseUserID(ids.First[i]), id) > 0
	})
	if block == 0 || user == "" {
		return 0, unknown
	}
	from := uint64(block-1) * manifest.BlockRows
	at, ok, err := l.searchBlock(ctx, id, from)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, unknown
	}
	if ids.Sorted == nil {
		return at, nil
	}
	return l.denseAt(ctx, at)
}

// searchBlock finds id among the ascending ids of the block that begins at from.
func (l IDs) searchBlock(ctx context.Context, id manifest.UserID, from uint64) (at uint64, ok bool, err error) {
	ints, texts := l.ids.Ints, l.ids.Strings
	if sorted := l.ids.Sorted; sorted != nil {
		ints, texts = sorted.Ints, sorted.Strings
	}
	ids, err := l.columns.readIDs(ctx, ints, texts, from, min(from+manifest.BlockRows, l.vertices))
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
func (l IDs) denseAt(ctx context.Context, at uint64) (dense uint64, err error) {
	err = l.columns.codes(ctx, l.ids.Sorted.Dense, "id index", at, at+1, func(_ uint64, codes []uint32) error {
		dense = uint64(codes[0])
		return nil
	})
	return dense, err
}

// NextID is an integer above all ids of the snapshot.
func (l IDs) NextID(ctx context.Context) (int64, error) {
	ids := l.ids
	switch {
	case ids.Base != nil:
		return *ids.Base + int64(l.vertices), nil
	case ids.Ints == nil:
		return 0, nil
	}
	next := int64(0)
	buffer := make([]int64, manifest.BlockRows)
	for from := uint64(0); from < l.vertices; from += manifest.BlockRows {
		some := buffer[:min(manifest.BlockRows, l.vertices-from)]
		if err := l.columns.copyInts(ctx, *ids.Ints, "integer id", from, from+uint64(len(some)), some); err != nil {
			return 0, err
		}
		for _, n := range some {
			next = max(next, n+1)
		}
	}
	return next, nil
}
