package spanningforest

import (
	"cmp"
	"context"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
)

// rootingBytes is what root takes of a vertex.
const rootingBytes = 4 + 4 + 8

// root has the edges of the forest lead to the smallest id of each tree. What growing has done with
// serves for the stack and for the order of ids.
func (f *forest) root(ctx context.Context) error {
	starts, at := make([]uint32, f.N+1), make([]uint32, f.N)
	for _, e := range f.edges {
		starts[e.from+1]++
		starts[e.to+1]++
	}
	for v := range f.N {
		starts[v+1] += starts[v]
		at[v] = starts[v]
	}
	lists := make([]uint32, 2*len(f.edges)) // of each vertex, the numbers of its edges
	for i, e := range f.edges {
		for _, v := range [2]uint32{e.from, e.to} {
			lists[at[v]] = uint32(i)
			at[v]++
		}
	}
	order, stack := f.tree, f.first[:0]
	for v := range order {
		order[v], f.parent[v], f.weight[v] = uint32(v), algorithms.Unreached, 0
	}
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(f.ids[a], f.ids[b]) })
	seen := at
	clear(seen)
	for _, start := range order {
		if seen[start] != 0 {
			continue
		}
		seen[start] = 1
		for stack = append(stack[:0], start); len(stack) > 0; {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, i := range lists[starts[v]:starts[v+1]] {
				e := f.edges[i]
				u := e.from ^ e.to ^ v
				if seen[u] == 0 {
					seen[u], f.parent[u], f.weight[u] = 1, f.ids[v], e.weight
					stack = append(stack, u)
				}
			}
		}
	}
	return ctx.Err()
}
