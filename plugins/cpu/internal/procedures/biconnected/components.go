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
	waiting
	component, top []int64
}

func init() {
	procedures.Register("biconnected-components", func(f procedures.Input) (procedures.Procedure, error) {
		s, err := newSearch(f, algorithms.Column{Name: "component", Type: algorithms.VertexID},
			algorithms.Column{Name: "top", Type: algorithms.VertexID})
		return &components{waiting: waiting{search: s}, component: f.Columns["component"].Ints, top: f.Columns["top"].Ints}, err
	})
}

func (c *components) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	c.begin()
	c.leave = func(v uint32, parent *uint32) {
		if parent == nil {
			c.component[v], c.top[v] = algorithms.Unreached, algorithms.Unreached
			return
		}
		c.done = append(c.done, v)
		if c.low[v] < c.rank[*parent] {
			return
		}
		some, name := c.since(c.rank[v])
		for _, u := range some {
			c.component[u], c.top[u] = name, c.ids[*parent]
		}
	}
	return c.run(ctx, chunks, tell)
}
