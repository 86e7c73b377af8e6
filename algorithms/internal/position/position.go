package position

import (
	"cmp"
	"fmt"
	"slices"
)

// Of finds the named vertices among ids, in ascending order of positions. It fails unless all are there.
func Of(ids, named []int64) (found []int, err error) {
	named = slices.Sorted(slices.Values(named))
	for v, id := range ids {
		if _, wanted := slices.BinarySearch(named, id); wanted {
			found = append(found, v)
		}
	}
	if len(found) != len(named) {
		return nil, fmt.Errorf("of the %d vertices named the graph has %d", len(named), len(found))
	}
	return found, nil
}

// Ascending are the positions of ids, in the order of these.
func Ascending(ids []int64) []int {
	order := make([]int, len(ids))
	for v := range order {
		order[v] = v
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ids[a], ids[b]) })
	return order
}
