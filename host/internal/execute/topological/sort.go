package topological

import (
	"context"
	"iter"

	"github.com/penstock-db/penstock/internal/schedule"
)

// Lists gives the list of a vertex, local to a base.
type Lists func(ctx context.Context, v uint64) (neighbors []uint32, base uint64, err error)

// Sort is the vertices that some reach, each behind all of them that lead to it, and of these in the order of the
// longest way from where it begins (Kahn, "Topological sorting of large networks", 1962). It looks at each list twice,
// and takes 4 bytes a vertex, and 8 of those that are reached. Where they reach a cycle there is no order, but that
// cycle.
func Sort(ctx context.Context, list Lists, some iter.Seq[uint64], vertices uint64) (sorted, cycle []uint64, err error) {
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
		return nil, nil, err
	}
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
	if err != nil {
		return nil, nil, err
	}
	cycle, err = findCycle(ctx, list, waits)
	return sorted, cycle, err
}

// follow goes along the edges of vertices, and of those at their ends that are to be followed as well.
func follow(ctx context.Context, list Lists, some []uint64, further func(u uint64) bool) ([]uint64, error) {
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
