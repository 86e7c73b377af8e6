// Package lcc computes the local clustering coefficient of each vertex.
package lcc

import (
	"context"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures/triangles"
)

// lcc is the local clustering coefficient: the edges between a vertex's neighbors,
// which are those opposite it in its triangles, over the pairs of them.
type lcc struct {
	counter     *triangles.Counter
	coefficient []float64
}

func init() { procedures.Register("lcc", newLCC) }

func newLCC(f procedures.Input) (procedures.Procedure, error) {
	result := algorithms.Column{Name: "coefficient", Type: algorithms.Float}
	coefficient := f.Columns[result.Name].Floats
	c, err := triangles.NewCounter(f, !f.Graph.Directed, result, asInts(coefficient))
	return &lcc{counter: c, coefficient: coefficient}, err
}

// Scratch adds the number of neighbors of each rank to what the counter takes.
func (c *lcc) Scratch() uint64 { return c.counter.Scratch() + 4*uint64(len(c.coefficient)) }

func (c *lcc) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	degree, err := c.counter.CountWithDegrees(ctx, chunks, tell)
	if err != nil {
		return 0, err
	}
	for v, count := range c.counter.Counts {
		c.coefficient[v] = density(count, degree(v))
	}
	return csr.Entries(chunks), nil
}

// density is the part of the k·(k-1) ordered pairs that edges join.
func density(edges int64, k uint32) float64 {
	if k < 2 {
		return 0
	}
	return float64(edges) / (float64(k) * float64(k-1))
}

// asInts is the memory of a result column, to count in before the result is known.
func asInts(values []float64) []int64 {
	return unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(values))), len(values))
}
