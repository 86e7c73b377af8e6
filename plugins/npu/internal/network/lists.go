package network

import (
	"github.com/penstock-db/penstock/algorithms/neural/adjacency"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// directions are the chunks that a network needs: none, if it looks at no edges.
func directions(looks, directed bool) []chunk.Direction {
	switch {
	case !looks:
		return nil
	case directed:
		return []chunk.Direction{chunk.In, chunk.Out}
	}
	return []chunk.Direction{chunk.Both}
}

// take takes the rows of a chunk.
func take(to *adjacency.Builder, c *kit.Chunk) error {
	offsets, neighbors, base := c.Offsets(), c.Neighbors(), uint32(c.Meta().Cols.Base)
	properties := make([][]float64, len(c.Weights))
	for row := range len(offsets) - 1 {
		first, last := offsets[row], offsets[row+1]
		for i, w := range c.Weights {
			properties[i] = w[first:last]
		}
		if !to.Add(int(c.Vertex(row)), base, neighbors[first:last], properties) {
			return plugins.Errorf(plugins.KindInvalid, "a list has more edges than the degree of its vertex says")
		}
	}
	return nil
}
