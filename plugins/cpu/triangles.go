package cpu

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
)

// triangles are half the edges opposite.
type triangles struct{ counter *counter }

func newTriangles(f frame) (procedure, error) {
	result := algorithms.Column{Name: "triangles", Type: algorithms.Int}
	c, err := newCounter(f, true, result, f.columns[result.Name].Ints)
	return triangles{c}, err
}

func (t triangles) scratch() uint64 { return t.counter.scratch() }

func (t triangles) call(ctx context.Context, chunks []*resident, tell func(float64)) (uint64, error) {
	c := t.counter
	if err := c.count(ctx, chunks, tell); err != nil {
		return 0, err
	}
	return entries(chunks), c.pool.blocks(ctx, c.n, func(_, _, from, to int) {
		for v := from; v < to; v++ {
			c.counts[v] /= 2
		}
	})
}
