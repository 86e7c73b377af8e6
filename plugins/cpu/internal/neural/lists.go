package neural

import (
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// take takes the rows of a chunk.
func take(ctx context.Context, pool parallel.Pool, to *adjacency.Builder, c *csr.Chunk) error {
	rows := len(c.Offsets) - 1
	tooMany := make([]bool, parallel.BlockCount(rows))
	err := pool.Blocks(ctx, rows, func(_, block, from, end int) {
		properties := make([][]float64, len(c.Weights))
		for row := from; row < end; row++ {
			first, last := c.Offsets[row], c.Offsets[row+1]
			for i, w := range c.Weights {
				properties[i] = w[first:last]
			}
			if !to.Add(int(c.Rows.Base)+c.Local(row), uint32(c.Cols.Base), c.Neighbors[first:last], properties) {
				tooMany[block] = true
			}
		}
	})
	if err == nil && slices.Contains(tooMany, true) {
		return plugins.Errorf(plugins.KindInvalid, "a list has more edges than the degree of its vertex says")
	}
	return err
}

// checkVertices refuses graphs whose vertices 32 bits do not number.
func checkVertices(n uint64) error {
	if n > math.MaxUint32 {
		return plugins.Errorf(plugins.KindUnsupported, "networks are computed over up to %d vertices",
			uint32(math.MaxUint32))
	}
	return nil
}

// Lists are the edges at one end of vertices.
type Lists = adjacency.Lists

// Graph is lists by dataflow.End, and the sections that vertices are parted into, as adjacency.Sections makes them of
// degrees.
type Graph struct {
	Vertices int
	Ends     [2]Lists
	Sections [2][]int
}
