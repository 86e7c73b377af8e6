package algorithms

import (
	"cmp"
	"slices"
)

// Groups are the vertices that are the first of their group: of those that have the same value in the last column of a
// result. They are in ascending order of these values. It takes 8 bytes a vertex for as long as it works.
func Groups(result []Values) []int {
	groups := result[len(result)-1].Ints
	order := make([]int, len(groups))
	for v := range order {
		order[v] = v
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(groups[a], groups[b]), cmp.Compare(a, b)) })
	return slices.Clip(slices.CompactFunc(order, func(a, b int) bool { return groups[a] == groups[b] }))
}
