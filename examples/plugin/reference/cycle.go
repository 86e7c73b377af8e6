package reference

import (
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// cycleOf is a cycle of a graph that has one. It takes vertices away to which no edge leads, as long as there are some;
// from what is left it goes back along edges until it comes to a vertex again.
func cycleOf(g *algorithms.Graph) (c plugins.Cycle) {
	gone := make([]bool, g.N())
	before := func(v int) int { // the place of an in-neighbor that is left; -1: there is none
		return slices.IndexFunc(g.In.Of(v), func(u uint32) bool { return !gone[u] })
	}
	for found := true; found; {
		found = false
		for v := range gone {
			if !gone[v] && before(v) < 0 {
				gone[v], found = true, true
			}
		}
	}
	v := slices.Index(gone, false)
	for !slices.Contains(c.Vertices, uint64(v)) {
		c.Vertices = append(c.Vertices, uint64(v))
		v = int(g.In.Of(v)[before(v)])
	}
	c.Vertices = c.Vertices[slices.Index(c.Vertices, uint64(v)):]
	slices.Reverse(c.Vertices)
	return c
}
