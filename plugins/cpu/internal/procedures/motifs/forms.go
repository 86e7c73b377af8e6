package motifs

// The forms, in the order of the columns.
const (
	wedge = iota
	triangle
	path
	star
	cycle
	tailed
	diamond
	clique
	forms
)

var names = [forms]string{"wedges", "triangles", "paths", "stars", "cycles", "tailed_triangles", "diamonds", "cliques"}

// count counts, at v, what edges make of vertices, but for cycles and cliques.
func (m *motifs) count(v uint32) {
	near, edges := m.net.Of(v)
	own := int64(len(near))
	n := [forms]int64{wedge: pairs(own), triangle: m.at[v], star: pairs(own) * (own - 2) / 3,
		path: -2 * m.at[v], tailed: m.at[v] * (own - 2)}
	for i, u := range near {
		d, shared := int64(m.net.Degree(u)), int64(m.triangles[edges[i]])
		n[wedge] += d - 1
		n[star] += pairs(d - 1)
		n[path] += (own-1)*(d-1) - shared + m.reach[u] - (own - 1)
		n[diamond] += pairs(shared)
		n[tailed] += shared*(d-2) + m.at[u] - shared
	}
	n[diamond] += m.opposite(v) / 2
	for form := range n {
		m.columns[form][v] = n[form]
	}
}

// opposite counts the triangles on edges opposite v in its triangles, but these themselves, twice each.
func (m *motifs) opposite(v uint32) (count int64) {
	near, edges := m.net.Of(v)
	for i := range near {
		m.net.Triangles(edges[i], func(a, b uint32) {
			if ends := m.net.Ends[a]; ends[0] == v || ends[1] == v {
				a = b
			}
			count += int64(m.triangles[a]) - 1
		})
	}
	return count
}

// solve takes away what sets with more edges have added, those with the most edges first.
func (m *motifs) solve(v int) {
	n := func(form int) *int64 { return &m.columns[form][v] }
	*n(wedge) -= 3 * *n(triangle)
	*n(diamond) -= 6 * *n(clique)
	*n(tailed) -= 4**n(diamond) + 12**n(clique)
	*n(cycle) -= *n(diamond) + 3**n(clique)
	*n(star) -= *n(tailed) + 2**n(diamond) + 4**n(clique)
	*n(path) -= 4**n(cycle) + 2**n(tailed) + 6**n(diamond) + 12**n(clique)
}

func pairs(n int64) int64 { return n * (n - 1) / 2 }
