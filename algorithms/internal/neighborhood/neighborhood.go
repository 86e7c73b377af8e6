package neighborhood

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// All lists, for each vertex, the other vertices that an edge joins it with, in either direction: each once, ascending.
func All(g *algorithms.Graph) [][]uint32 {
	all := make([][]uint32, g.N())
	for v := range all {
		all[v] = Of(v, g.Out.Of(v), g.In.Of(v))
	}
	return all
}

// Of is the union of lists of vertex v without v itself: each once, ascending.
func Of(v int, lists ...[]uint32) []uint32 {
	union := slices.Concat(lists...)
	union = slices.DeleteFunc(union, func(u uint32) bool { return int(u) == v })
	slices.Sort(union)
	return slices.Compact(union)
}

// Intersect yields the vertices that stand in both of two ascending lists.
func Intersect(a, b []uint32, yield func(v uint32)) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			yield(a[0])
			a, b = a[1:], b[1:]
		}
	}
}

// Contains says whether v stands in an ascending list.
func Contains(ascending []uint32, v uint32) bool {
	_, found := slices.BinarySearch(ascending, v)
	return found
}

// Sides are the lists along which a vertex has neighbors in an orientation.
func Sides(g *algorithms.Graph, orientation string) []algorithms.Lists {
	switch {
	case !g.Directed || orientation == param.Natural:
		return []algorithms.Lists{g.Out}
	case orientation == param.Reverse:
		return []algorithms.Lists{g.In}
	}
	return []algorithms.Lists{g.Out, g.In}
}

// BothSides are the lists that have all edges of a vertex.
func BothSides(g *algorithms.Graph) []algorithms.Lists {
	if g.Directed {
		return []algorithms.Lists{g.Out, g.In}
	}
	return []algorithms.Lists{g.Out}
}

// Spread marks what can be reached from start through vertices that are not marked yet.
func Spread(start int, seen []bool, neighbors [][]uint32) {
	seen[start] = true
	for stack := []int{start}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, u := range neighbors[v] {
			if !seen[u] {
				seen[u] = true
				stack = append(stack, int(u))
			}
		}
	}
}
