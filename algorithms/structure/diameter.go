package structure

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
)

// Diameter gives each vertex the largest distance between two vertices of its connected component.
//
//	diameter(v) = max{ d(u, w) : u, w in the component of v }
//
// Distances are numbers of edges on the way, either way along each; between components there is none. Finding it takes
// few searches of most graphs, O(n·m) of the worst. Takes and Kosters, "Determining the diameter of small world
// networks", 2011.
var Diameter = &algorithms.Algorithm{
	Name:      "diameter",
	Summary:   "largest distance within the vertex's connected component",
	Source:    "Takes and Kosters 2011",
	Result:    []algorithms.Column{{Name: "diameter", Type: algorithms.Int}},
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle: func(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
		far, component := eccentricities(g)
		largest := map[int64]int64{}
		for v, d := range far {
			largest[component[v]] = max(largest[component[v]], d)
		}
		result := make([]int64, g.N())
		for v := range result {
			result[v] = largest[component[v]]
		}
		return answer.Ints("diameter", algorithms.Int, result), nil
	},
	Verify: verifyDiameter,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		largest := int64(0)
		for _, d := range result[0].Ints {
			largest = max(largest, d)
		}
		return []algorithms.Figure{{Name: "diameter", Value: largest}}
	},
}

// Eccentricity is how far the farthest vertex of the connected component is.
//
//	eccentricity(v) = max{ d(v, u) : u in the component of v }
//
// Distances are numbers of edges on the way, either way along each. O(n·m) at most, and much less where few searches
// leave only one number possible for most vertices. Takes and Kosters, "Computing the eccentricity distribution of large graphs", 2013.
var Eccentricity = &algorithms.Algorithm{
	Name:      "eccentricity",
	Summary:   "how far the farthest vertex of the connected component is",
	Source:    "Takes and Kosters 2013",
	Result:    []algorithms.Column{{Name: "eccentricity", Type: algorithms.Int}},
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle: func(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
		far, _ := eccentricities(g)
		return answer.Ints("eccentricity", algorithms.Int, far), nil
	},
	Verify: verifyEccentricity,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		largest := int64(0)
		for _, d := range result[0].Ints {
			largest = max(largest, d)
		}
		return []algorithms.Figure{{Name: "diameter", Value: largest}}
	},
}

// eccentricities searches from each vertex: how far it gets, and the smallest id that it finds.
func eccentricities(g *algorithms.Graph) (far, component []int64) {
	far, component = make([]int64, g.N()), make([]int64, g.N())
	neighbors := neighborhood.All(g)
	for v := range far {
		component[v] = g.IDs[v]
		for u, d := range hops(neighbors, v) {
			if d >= 0 {
				far[v], component[v] = max(far[v], d), min(component[v], g.IDs[u])
			}
		}
	}
	return far, component
}

// hops is how far each vertex is from v, -1 where no path leads.
func hops(neighbors [][]uint32, v int) []int64 {
	distance := make([]int64, len(neighbors))
	for u := range distance {
		distance[u] = -1
	}
	distance[v] = 0
	for queue := []int{v}; len(queue) > 0; queue = queue[1:] {
		for _, u := range neighbors[queue[0]] {
			if distance[u] < 0 {
				distance[u] = distance[queue[0]] + 1
				queue = append(queue, int(u))
			}
		}
	}
	return distance
}

// verifyDiameter checks that all vertices of a component agree, that none is farther from another than that, and that
// some are as far.
func verifyDiameter(g *algorithms.Graph, _ algorithms.Args, result []algorithms.Values) error {
	column, err := answer.Sole(g, result, algorithms.Int)
	if err != nil {
		return err
	}
	neighbors, met := neighborhood.All(g), make([]bool, g.N())
	for v, claimed := range column.Ints {
		for u, d := range hops(neighbors, v) {
			switch {
			case d > claimed:
				return answer.WrongAt(g, v, "diameter %d, but vertex %d is %d edges away", claimed, g.IDs[u], d)
			case d >= 0 && column.Ints[u] != claimed:
				return answer.WrongAt(g, v, "diameter %d, but %d at vertex %d, which it is joined with", claimed, column.Ints[u],
					g.IDs[u])
			case d == claimed:
				met[v] = true
			}
		}
	}
	for v := range met {
		if !met[v] && !anyReached(hops(neighbors, v), met) {
			return answer.WrongAt(g, v, "diameter %d, but no two vertices of its component are that far apart", column.Ints[v])
		}
	}
	return nil
}

// anyReached tells whether a vertex that has a distance is marked.
func anyReached(distance []int64, marked []bool) bool {
	for v, d := range distance {
		if d >= 0 && marked[v] {
			return true
		}
	}
	return false
}

// verifyEccentricity checks that some vertex is as far away, and none farther.
func verifyEccentricity(g *algorithms.Graph, _ algorithms.Args, result []algorithms.Values) error {
	column, err := answer.Sole(g, result, algorithms.Int)
	if err != nil {
		return err
	}
	neighbors := neighborhood.All(g)
	for v, claimed := range column.Ints {
		distance := hops(neighbors, v)
		farthest := v
		for u, d := range distance {
			if d > distance[farthest] {
				farthest = u
			}
		}
		if distance[farthest] != claimed {
			return answer.WrongAt(g, v, "eccentricity %d, but the farthest vertex, %d, is %d edges away", claimed,
				g.IDs[farthest],
				distance[farthest])
		}
	}
	return nil
}
