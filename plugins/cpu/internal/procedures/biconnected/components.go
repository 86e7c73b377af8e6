package biconnected

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// components ends one at each vertex below which no edge leads above its parent: with what was visited since, and is in
// none, it is a component, whose top is the parent.
type components struct {
	*search
	component, top []int64
	done           []uint32 // visited, in no component yet, not on the path
}

func init() {
	procedures.Register("biconnected-components", func(f procedures.Input) (procedures.Procedure, error) {
		s, err := newSearch(f, algorithms.Column{Name: "component", Type: algorithms.VertexID},
			algorithms.Column{Name: "top", Type: algorithms.VertexID})
		return &components{search: s, component: f.Columns["component"].Ints, top: f.Columns["top"].Ints}, err
	})
}

// Scratch is what the search takes, and done.
func (c *components) Scratch() uint64 { return (vertexBytes + 4) * uint64(c.N) }

func (c *components) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	c.done = make([]uint32, 0, c.N)
	c.leave = func(v uint32, parent *uint32) {
		switch {
		case parent == nil:
			c.component[v], c.top[v] = algorithms.Unreached, algorithms.Unreached
		case c.low[v] < c.rank[*parent]:
			c.done = append(c.done, v)
		default:
			c.done = append(c.done, v)
			c.close(c.rank[v], c.ids[*parent])
		}
	}
	return c.run(ctx, chunks, tell)
}

// close ends the component of what is done from a rank on.
func (c *components) close(rank int32, top int64) {
	first, least := len(c.done), algorithms.Unreached
	for first > 0 && c.rank[c.done[first-1]] >= rank {
		first--
		least = min(least, c.ids[c.done[first]])
	}
	for _, v := range c.done[first:] {
		c.component[v], c.top[v] = least, top
	}
	c.done = c.done[:first]
}
