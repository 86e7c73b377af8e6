package cpu

import (
	"context"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
)

// lcc is the local clustering coefficient: the edges between a vertex's neighbours,
// which are those opposite it in its triangles, over the pairs of them.
type lcc struct {
	*corners
	coefficient []float64
}

func newLCC(f frame) (procedure, error) {
	c, err := newCorners(f, algorithms.Column{Name: "coefficient", Type: algorithms.Float})
	coefficient := f.columns["coefficient"]
	c.opposite, c.counts = true, asInts(coefficient.Floats)
	return &lcc{corners: c, coefficient: coefficient.Floats}, err
}

func (c *lcc) call(ctx context.Context, chunks []*resident, tell func(float64)) (uint64, error) {
	o, err := c.count(ctx, chunks, tell)
	if err != nil {
		return 0, err
	}
	for v, count := range c.counts {
		c.coefficient[v] = share(count, o.degrees[v])
	}
	return entries(chunks), nil
}

// share is the part of the k·(k-1) ordered pairs that edges are.
func share(edges int64, k uint32) float64 {
	if k < 2 {
		return 0
	}
	return float64(edges) / (float64(k) * float64(k-1))
}

// asInts is the memory of a result column, to count in before the result is known.
func asInts(values []float64) []int64 {
	return unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(values))), len(values))
}
