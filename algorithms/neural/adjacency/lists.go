package adjacency

import (
	"cmp"
	"slices"
)

// Lists are the edges at one end of vertices: those of vertex v are Others[Offsets[v]:Offsets[v+1]].
type Lists struct {
	Offsets    []int64
	Others     []uint32
	Properties map[string][]float64 // of each edge
}

// Degrees are the lengths of lists.
func (l *Lists) Degrees() []float32 {
	all := make([]float32, len(l.Offsets)-1)
	for v := range all {
		all[v] = float32(l.Offsets[v+1] - l.Offsets[v])
	}
	return all
}

// move puts an entry in another's place.
func (l *Lists) move(to, from int64) {
	l.Others[to] = l.Others[from]
	for _, p := range l.Properties {
		p[to] = p[from]
	}
}

// sort sorts the entries [from, to) by neighbors; of parallel edges, by their properties.
func (l *Lists) sort(from, to int64) {
	list := l.Others[from:to]
	if len(l.Properties) == 0 {
		if !slices.IsSorted(list) {
			slices.Sort(list)
		}
		return
	}
	names := make([]string, 0, len(l.Properties))
	for name := range l.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	compare := func(a, b int) int {
		by := cmp.Compare(list[a], list[b])
		for _, name := range names {
			by = cmp.Or(by, cmp.Compare(l.Properties[name][from:][a], l.Properties[name][from:][b]))
		}
		return by
	}
	if slices.IsSortedFunc(order, compare) {
		return
	}
	slices.SortFunc(order, compare)
	permute(list, order)
	for _, p := range l.Properties {
		permute(p[from:to], order)
	}
}

// permute puts values in an order.
func permute[V any](values []V, order []int) {
	old := slices.Clone(values)
	for i, from := range order {
		values[i] = old[from]
	}
}
