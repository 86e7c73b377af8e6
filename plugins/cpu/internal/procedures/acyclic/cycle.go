package acyclic

import "github.com/penstock-db/penstock/plugins"

// cycle is one of what is left, all of which has in-neighbors that are left: it goes back along these, always to the
// smallest id, until it comes to a vertex again. It begins with the smallest id, so that the order of storage does not
// matter.
func (r *rounds) cycle() plugins.Cycle {
	at := r.found.Vertices // of each vertex on the way, where it is there, from 1
	clear(at)
	v := uint32(0)
	for u := range uint32(r.N) {
		if r.pending[u] > 0 && (r.pending[v] == 0 || r.ids[u] < r.ids[v]) {
			v = u
		}
	}
	var way []uint32
	for at[v] == 0 {
		way = append(way, v)
		at[v] = uint32(len(way))
		v = r.before(v)
	}
	var c plugins.Cycle
	for i := len(way) - 1; i >= int(at[v])-1; i-- {
		c.Vertices = append(c.Vertices, uint64(way[i]))
	}
	return c
}

// before is the in-neighbor of v with the smallest id among those that are left.
func (r *rounds) before(v uint32) uint32 {
	best, any := uint32(0), false
	for _, c := range r.in.Of(int(v)) {
		base := uint32(c.Cols.Base)
		for _, local := range c.List(int(v)) {
			if u := base + local; r.pending[u] > 0 && (!any || r.ids[u] < r.ids[best]) {
				best, any = u, true
			}
		}
	}
	return best
}
