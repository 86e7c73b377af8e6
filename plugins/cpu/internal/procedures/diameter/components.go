// Package diameter finds how far vertices are apart, by few breadth-first searches. It takes 25 bytes a vertex.
//
//	components   each component in turn, and searches of it                     (components.go, search.go)
//	bounding     the largest distance in one, or from each vertex of it         (bounding.go)
package diameter

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// components goes through connected components, whatever the direction of edges.
type components struct {
	procedures.Input
	sides []csr.Index // whose lists have all edges of a vertex
	found search
	edges uint64 // looked at
}

func newComponents(f procedures.Input) (components, error) {
	if f.N > math.MaxInt32 {
		return components{}, plugins.Errorf(plugins.KindUnsupported, "distances between %d vertices: up to %d", f.N,
			math.MaxInt32)
	}
	return components{Input: f}, nil
}

// Scratch: a search, the vertices of a component, and which have been visited.
func (c *components) Scratch() uint64 { return uint64(c.N) * (5 + searchBytes) }

// run calls do with the vertices of each component.
func (c *components) run(ctx context.Context, chunks []*csr.Chunk, tell func(float64),
	do func(ctx context.Context, members []uint32) error) (uint64, error) {
	c.sides = csr.EitherWay(c.Graph.Directed, chunks)
	c.found = newSearch(c.N)
	visited, all := make([]bool, c.N), make([]uint32, 0, c.N)
	told := 0.0
	for v := range uint32(c.N) {
		if visited[v] {
			continue
		}
		members := append(all[:0], c.from(v).queue...)
		for _, u := range members {
			visited[u] = true
		}
		if err := do(ctx, members); err != nil {
			return c.edges, err
		}
		if at := float64(v) / float64(c.N); at-told >= 0.01 {
			told = at
			tell(at)
		}
	}
	return c.edges, ctx.Err()
}

// from searches from one vertex.
func (c *components) from(v uint32) *search {
	c.edges += c.found.run(c.sides, v)
	return &c.found
}

// degree is how many edges a vertex has, either way.
func (c *components) degree(v uint32) (count int) {
	for _, side := range c.sides {
		for _, r := range side.Of(int(v)) {
			count += len(r.List(int(v)))
		}
	}
	return count
}
