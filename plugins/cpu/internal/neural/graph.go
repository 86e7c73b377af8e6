package neural

import "sort"

// Lists are the edges at one end of all vertices: those of vertex v are Others[Offsets[v]:Offsets[v+1]].
type Lists struct {
	Offsets    []int64
	Others     []uint32
	Properties map[string][]float64 // of each edge
}

// Graph is lists by dataflow.End.
type Graph struct {
	Vertices int
	Ends     [2]Lists
}

// sections is how many there are at most, and sectionWork what each has at least, in vertices and edges. They decide
// the order of sums, so that they may not depend on the machine.
const (
	sections    = 64
	sectionWork = 1024
)

// cut parts vertices into sections that have about as much to do, in vertices and edges.
func cut(vertices int, l Lists) []int {
	work := func(v int) int { return v + int(l.Offsets[v]) }
	bounds, count := []int{0}, max(1, min(sections, work(vertices)/sectionWork))
	for k := 1; k <= count; k++ {
		end := sort.Search(vertices, func(v int) bool { return work(v) >= work(vertices)*k/count })
		if k == count {
			end = vertices
		}
		if end > bounds[len(bounds)-1] {
			bounds = append(bounds, end)
		}
	}
	return bounds
}
