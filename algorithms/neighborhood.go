package algorithms

import "slices"

// neighborhoods lists, for each vertex, the other vertices that an edge joins it with, in
// either direction: each once, ascending.
func neighborhoods(g *Graph) [][]uint32 {
	all := make([][]uint32, g.N())
	for v := range all {
		all[v] = simple(v, g.Out.Of(v), g.In.Of(v))
	}
	return all
}

// simple is the union of lists of vertex v without v itself: each once, ascending.
func simple(v int, lists ...[]uint32) []uint32 {
	union := slices.Concat(lists...)
	union = slices.DeleteFunc(union, func(u uint32) bool { return int(u) == v })
	slices.Sort(union)
	return slices.Compact(union)
}

// intersect yields the vertices that stand in both of two ascending lists.
func intersect(a, b []uint32, yield func(v uint32)) {
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

func contains(ascending []uint32, v uint32) bool {
	_, found := slices.BinarySearch(ascending, v)
	return found
}
