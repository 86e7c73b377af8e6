package supply

import (
	"context"
	"math/bits"

	"github.com/penstock-db/penstock/internal/schedule"
)

// searches is from how many vertices, spread over the graph, Depth searches at most.
const searches = 8

// Depth is what searches say of a graph.
type Depth uint8

// A graph is so.
const (
	Deep  Depth = iota
	Wide        // a search grows too fast
	Small       // all searches end
)

// Depth tells whether a graph is deep, beside a number of edges: whether breadth-first searches have looked at no more
// when they have gone through as many levels as it takes to double one edge to that number. On road maps and meshes
// levels grow as the distance does or its square, elsewhere many times over from one to the next. One search that grows
// faster says no. Those that end before, in small components, say nothing.
//
// A level's lists are counted before its vertices' neighbors are looked at, so that a search that grows fast looks at
// few.
func (l *Lists) Depth(ctx context.Context, vertices, edges uint64) (Depth, error) {
	depth, seen := Small, make(schedule.Bitmap, (vertices+63)/64)
	for i := range uint64(searches) {
		clear(seen)
		more, grows, err := l.search(ctx, vertices*(2*i+1)/(2*searches), seen, edges)
		if grows || err != nil {
			return Wide, err
		}
		if more {
			depth = Deep
		}
	}
	return depth, nil
}

// search goes breadth-first from a vertex. It tells whether there is more beyond the levels that it goes through, and
// whether it has stopped before as there were too many edges.
func (l *Lists) search(ctx context.Context, from uint64, seen schedule.Bitmap, edges uint64) (more, grows bool,
	err error) {
	seen.Add(from)
	level := []uint64{from}
	var looked uint64
	for range bits.Len64(edges) {
		var next []uint64
		for _, v := range level {
			list, _, err := l.Of(ctx, v)
			if looked += uint64(len(list)); looked > edges || err != nil {
				return false, true, err
			}
		}
		for _, v := range level {
			list, base, err := l.Of(ctx, v)
			if err != nil {
				return false, false, err
			}
			for _, local := range list {
				if u := base + uint64(local); !seen.Has(u) {
					seen.Add(u)
					next = append(next, u)
				}
			}
		}
		level = next
	}
	return len(level) > 0, false, ctx.Err()
}
