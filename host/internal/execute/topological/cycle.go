package topological

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/internal/schedule"
)

// findCycle is a cycle, along its edges, among the vertices that wait, each for another of them; nil: none waits. It
// takes 4 bytes a vertex.
func findCycle(ctx context.Context, list Lists, waits []uint32) (cycle []uint64, err error) {
	first := slices.IndexFunc(waits, func(edges uint32) bool { return edges > 0 })
	if first < 0 {
		return nil, nil
	}
	before := make([]uint32, len(waits)) // of each, one that it waits for
	for v, edges := range waits {
		if edges == 0 {
			continue
		}
		neighbors, base, err := list(ctx, uint64(v))
		if err != nil {
			return nil, err
		}
		for _, local := range neighbors {
			before[base+uint64(local)] = uint32(v)
		}
		if v%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	seen := make(schedule.Bitmap, (len(waits)+63)/64)
	v := uint32(first)
	for ; !seen.Has(uint64(v)); v = before[v] { // against edges, until it comes round
		seen.Add(uint64(v))
	}
	cycle = append(cycle, uint64(v))
	for u := before[v]; u != v; u = before[u] {
		cycle = append(cycle, uint64(u))
	}
	slices.Reverse(cycle)
	return cycle, nil
}
