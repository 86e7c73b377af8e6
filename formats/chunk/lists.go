package chunk

import "iter"

// Lists are the adjacency lists, by the graph's number of their vertex. What they name is
// local to Meta().Cols, as in Neighbors, whose memory they are.
func (c *Chunk) Lists() iter.Seq2[uint64, []uint32] {
	return func(yield func(uint64, []uint32) bool) {
		base, vertices, offsets := c.meta.Rows.Base, c.topology.Vertices, c.topology.Offsets
		for row := range c.stats.Rows {
			v := base + uint64(row)
			if vertices != nil {
				v = base + uint64(vertices[row])
			}
			if !yield(v, c.topology.Neighbors[offsets[row]:offsets[row+1]]) {
				return
			}
		}
	}
}
