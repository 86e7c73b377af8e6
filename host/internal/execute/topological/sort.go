package topological

import (
	"context"
	"iter"

	"github.com/penstock-db/penstock/internal/schedule"
)

// sort is the vertices that some reach, each behind all of them that lead to it, and of these in the order of the
// longest way from where it begins (Kahn, "Topological sorting of large networks", 1962). It looks at each list twice,
// and takes 4 bytes a vertex, and 8 of those that are reached. Where they reach a cycle there is no order.
func sort(ctx context.Context, list func(context.Context, uint64) ([]uint32, uint64, error), some iter.Seq[uint64],
	vertices uint64) (sorted []uint64, cyclic bool, err error) {
	waits := make([]uint32, vertices) // for so many edges, from vertices that are not sorted yet
	seen := make(schedule.Bitmap, (vertices+63)/64)
	var reached []uint64
	for v := range some {
		seen.Add(v)
		reached = append(reached, v)
	}
	first := len(reached)
	reached, err = follow(ctx, list, reached, func(u uint64) bool {
		waits[u]++
		isNew := !seen.Has(u)
		seen.Add(u)
		return isNew
	})
	if err != nil {
		return nil, false, err
	}
	all := len(reached)
	sorted = reached[:0]
	for _, v := range reached[:first] { // edges lead to all others
		if waits[v] == 0 {
			sorted = append(sorted, v)
		}
	}
	sorted, err = follow(ctx, list, sorted, func(u uint64) bool {
		waits[u]--
		return waits[u] == 0
	})
	return sorted, len(sorted) < all, err
}

// follow goes along the edges of vertices, and of those at their ends that are to be followed as well.
func follow(ctx context.Context, list func(context.Context, uint64) ([]uint32, uint64, error), some []uint64,
	further func(u uint64) bool) ([]uint64, error) {
	for at := 0; at < len(some); at++ {
		neighbors, base, err := list(ctx, some[at])
		if err != nil {
			return nil, err
		}
		for _, local := range neighbors {
			if u := base + uint64(local); further(u) {
				some = append(some, u)
			}
		}
		if at%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return some, nil
}
