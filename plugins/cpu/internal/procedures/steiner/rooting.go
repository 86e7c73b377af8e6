package steiner

import "github.com/penstock-db/penstock/algorithms"

// rootingBytes is what root takes of a vertex.
const rootingBytes = 4 + 4 + 8

// extend adds the ways from both ends of each edge to their terminals.
func (t *tree) extend() {
	for _, e := range t.edges {
		for _, v := range [2]uint32{e.from, e.to} {
			for r := t.regions[v]; r.up != none; r = t.regions[v] {
				t.edges = append(t.edges, edge{weight: r.weight, from: v, to: r.up})
				t.regions[v].up = none // it is there
				v = r.up
			}
		}
	}
}

// root has the edges of the tree lead to the source. Others belong to trees that no path joins with it.
func (t *tree) root(source uint32) {
	starts, at := make([]uint32, t.N+1), make([]uint32, t.N)
	for _, e := range t.edges {
		starts[e.from+1]++
		starts[e.to+1]++
	}
	for v := range t.N {
		starts[v+1] += starts[v]
		at[v] = starts[v]
		t.parent[v], t.weight[v], t.member[v] = algorithms.Unreached, 0, false
	}
	lists := make([]uint32, 2*len(t.edges)) // of each vertex, the numbers of its edges
	for i, e := range t.edges {
		for _, v := range [2]uint32{e.from, e.to} {
			lists[at[v]] = uint32(i)
			at[v]++
		}
	}
	t.member[source] = true
	for stack := append(t.queue.Clear(), source); len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, i := range lists[starts[v]:starts[v+1]] {
			e := t.edges[i]
			if u := e.from ^ e.to ^ v; !t.member[u] {
				t.member[u], t.parent[u], t.weight[u] = true, t.ids[v], e.weight
				stack = append(stack, u)
			}
		}
	}
}
