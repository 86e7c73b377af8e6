package neural

import "github.com/penstock-db/penstock/algorithms/neural/adjacency"

// Lists are the edges at one end of vertices.
type Lists = adjacency.Lists

// Graph is lists by dataflow.End, and the sections that vertices are parted into, as adjacency.Sections makes them of
// degrees.
type Graph struct {
	Vertices int
	Ends     [2]Lists
	Sections [2][]int
}
