package cpu

// cover lists, for each block of vertices, the chunks with rows in it: where to find the
// edges of one vertex, and all edges of a block at once.
type cover [][]*resident

// coverBytes is what a block's list takes, in a graph with a few chunks a vertex.
const coverBytes = 64

func coverOf(chunks []*resident, n int) cover {
	c := make(cover, blockCount(n))
	for _, r := range chunks {
		if len(r.neighbors) == 0 {
			continue
		}
		for b := int(r.rows.Base) / blockVertices; b < blockCount(int(r.rows.End())); b++ {
			c[b] = append(c[b], r)
		}
	}
	return c
}
