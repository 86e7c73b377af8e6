package adjacency

// MostSections is how many sections there are at most, and sectionWork what each has at least, in vertices and edges.
// They decide the order of sums, so that they may not depend on the machine.
const (
	MostSections = 64
	sectionWork  = 1024
)

// SectionsOf is how many sections there are at most of so many vertices with so many edges.
func SectionsOf(vertices, edges int64) int {
	return int(max(1, min(MostSections, (vertices+edges)/sectionWork)))
}

// Sections parts vertices with such degrees into runs that have about as much to do, and are not much longer than
// others: a vertex counts as much as the edges of an average one. Section k is the vertices from bounds[k] on to
// bounds[k+1].
func Sections(degrees []int64) (bounds []int) {
	edges, vertices := int64(0), int64(len(degrees))
	for _, d := range degrees {
		edges += d
	}
	vertex := max(1, edges/max(vertices, 1))
	all, count := vertices*vertex+edges, int64(SectionsOf(vertices, edges))
	done, k := int64(0), int64(1)
	bounds = []int{0}
	for v, d := range degrees {
		for ; k < count && done >= all*k/count; k++ {
			if v > bounds[len(bounds)-1] {
				bounds = append(bounds, v)
			}
		}
		done += vertex + d
	}
	if vertices > 0 {
		bounds = append(bounds, len(degrees))
	}
	return bounds
}
