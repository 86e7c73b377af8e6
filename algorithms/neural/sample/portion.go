package sample

// Portion cuts what seeds [from, to) hear of within so many hops out of g, which was sampled for as many, into p. Where
// the last hop does not lead to a vertex first, it has the list there that it has in g.
func (g *Graph) Portion(from, to, hops int, p *Graph) {
	p.reset(len(g.Properties))
	p.Rows, p.Seeds = p.Rows[:0], to-from
	p.met = grown(p.met, len(g.Vertices))
	clear(p.met)
	for row := from; row < to; row++ {
		p.take(g, uint32(row))
	}
	first := 0
	for range hops {
		last := len(p.Rows)
		for _, row := range p.Rows[first:last] {
			for e := g.Offsets[row]; e < g.Offsets[row+1]; e++ {
				p.Others = append(p.Others, p.take(g, g.Others[e]))
			}
			for i, of := range g.Properties {
				p.Properties[i] = append(p.Properties[i], of[g.Offsets[row]:g.Offsets[row+1]]...)
			}
			p.Offsets, p.PerSample = append(p.Offsets, int64(len(p.Others))), append(p.PerSample, g.PerSample[row])
		}
		first = last
	}
	p.end(first)
}

// take is the row in a portion of a row of g.
func (p *Graph) take(g *Graph, row uint32) uint32 {
	if p.met[row] == 0 {
		p.Rows, p.Vertices = append(p.Rows, row), append(p.Vertices, g.Vertices[row])
		p.Degrees = append(p.Degrees, g.Degrees[row])
		p.met[row] = uint32(len(p.Rows))
	}
	return p.met[row] - 1
}

// MostOfPortion is how many vertices and edges a portion of so many of the batch's seeds has at most. Those that it
// meets at the hop at which the batch does are no more than a batch of these seeds has; others the batch has met before
// its last hop.
func (m Most) MostOfPortion(seeds, batch int, fanouts []int) (vertices, edges uint64) {
	if vertices, edges = m.Of(seeds, fanouts); seeds >= batch || len(fanouts) == 0 {
		return vertices, edges
	}
	mostVertices, mostEdges := m.Of(batch, fanouts)
	before, edgesBefore := m.Of(batch, fanouts[:len(fanouts)-1])
	return min(mostVertices, vertices+before), min(mostEdges, edges+edgesBefore)
}
