package cpu

import (
	"context"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
)

// lcc is the local clustering coefficient: the edges between a vertex's neighbors,
// which are those opposite it in its triangles, over the pairs of them.
type lcc struct {
	counter     *counter
	coefficient []float64
}

func newLCC(f frame) (procedure, error) {
	result := algorithms.Column{Name: "coefficient", Type: algorithms.Float}
	coefficient := f.columns[result.Name].Floats
	c, err := newCounter(f, !f.graph.Directed, result, asInts(coefficient))
	return &lcc{counter: c, coefficient: coefficient}, err
}

// scratch adds the number of neighbors of each rank to what the counter takes.
func (c *lcc) scratch() uint64 { return c.counter.scratch() + 4*uint64(len(c.coefficient)) }

func (c *lcc) call(ctx context.Context, chunks []*resident, tell func(float64)) (uint64, error) {
	degree, err := c.counter.countWithDegrees(ctx, chunks, tell)
	if err != nil {
		return 0, err
	}
	for v, count := range c.counter.counts {
		c.coefficient[v] = density(count, degree(v))
	}
	return entries(chunks), nil
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
