package sample

// Graph is a sampled graph. Its vertices are numbered from 0: the seeds, then those that have come hop by hop.
type Graph struct {
	Vertices   []uint32 // of the large graph, by row
	Seeds      int      // the first rows
	Offsets    []int64  // of the edges that lead to each row
	Others     []uint32 // rows that they come from
	Properties [][]float64
	PerSample  []float32 // of each row, how many edges of the large graph each of its own stands for; 1 without any
	Degrees    []float32 // of each row, in the large graph
	Rows       []uint32  // of a portion: of each row, that in the whole; of a whole graph nil

	met []uint32 // of each row of the whole, 1 + its row in the portion; 0: it is not there
}

// Edges is how many there are.
func (g *Graph) Edges() int { return len(g.Others) }

// reset makes g empty, with its memory.
func (g *Graph) reset(properties int) {
	g.Vertices, g.Offsets, g.Others = g.Vertices[:0], append(g.Offsets[:0], 0), g.Others[:0]
	g.PerSample, g.Degrees = g.PerSample[:0], g.Degrees[:0]
	for len(g.Properties) < properties {
		g.Properties = append(g.Properties, nil)
	}
	for i := range g.Properties {
		g.Properties[i] = g.Properties[i][:0]
	}
}

// end gives rows from one on no lists: nobody asks what they hear.
func (g *Graph) end(from int) {
	end := g.Offsets[from]
	for range g.Vertices[from:] {
		g.Offsets, g.PerSample = append(g.Offsets, end), append(g.PerSample, 1)
	}
}

// Reverse writes the same edges by the rows that they come from, to slices as long as Offsets, Others and Properties.
func (g *Graph) Reverse(offsets []int64, others []uint32, properties [][]float64) {
	clear(offsets)
	for _, u := range g.Others {
		offsets[u+1]++
	}
	for v := range g.Vertices {
		offsets[v+1] += offsets[v]
	}
	for v := range g.Vertices {
		for e := g.Offsets[v]; e < g.Offsets[v+1]; e++ {
			u := g.Others[e]
			at := offsets[u]
			others[at] = uint32(v)
			for i := range properties {
				properties[i][at] = g.Properties[i][e]
			}
			offsets[u]++
		}
	}
	copy(offsets[1:], offsets[:len(g.Vertices)]) // each list ends where the next begins
	offsets[0] = 0
}
