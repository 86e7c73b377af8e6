// Package triangles counts the triangles at each vertex, and, with Counter, the directed
// edges opposite it in them.
//
// It takes 4 bytes an edge, 16 a vertex, 9 a vertex for each thread, and the matrix of the
// hubs: as much as the edges take, or 8 MiB if that is less; two of them where direction matters.
package triangles

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// triangles are half the edges opposite.
type triangles struct{ counter *Counter }

func init() { procedures.Register("triangles", newTriangles) }

func newTriangles(f procedures.Input) (procedures.Procedure, error) {
	result := algorithms.Column{Name: "triangles", Type: algorithms.Int}
	c, err := NewCounter(f, true, result, f.Columns[result.Name].Ints)
	return triangles{c}, err
}

func (t triangles) Scratch() uint64 { return t.counter.Scratch() }

func (t triangles) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	c := t.counter
	if err := c.count(ctx, chunks, tell); err != nil {
		return 0, err
	}
	return csr.Entries(chunks), c.Pool.Blocks(ctx, c.N, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			c.Counts[v] = c.bound.triangles(v, c.Counts[v])
		}
	})
}
