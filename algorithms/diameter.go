package algorithms

// Diameter gives each vertex the largest distance between two vertices of its connected component.
//
//	diameter(v) = max{ d(u, w) : u, w in the component of v }
//
// Distances are numbers of edges on the way, either way along each; between components there is none. Finding it takes
// few searches of most graphs, O(n·m) of the worst. Takes and Kosters, "Determining the diameter of small world
// networks", 2011.
var diameter = &Algorithm{
	Name:      "diameter",
	Summary:   "largest distance within the vertex's connected component",
	Source:    "Takes and Kosters 2011",
	Result:    []Column{{Name: "diameter", Type: Int}},
	Procedure: &Procedure{Edges: BothSides, Adjacency: true, EdgeColumns: noEdgeColumns},
	Oracle: func(g *Graph, _ Args) ([]Values, error) {
		far, component := eccentricities(g)
		largest := map[int64]int64{}
		for v, d := range far {
			largest[component[v]] = max(largest[component[v]], d)
		}
		result := make([]int64, g.N())
		for v := range result {
			result[v] = largest[component[v]]
		}
		return intResult("diameter", Int, result), nil
	},
	Verify: verifyDiameter,
	Figures: func(result []Values) []Figure {
		largest := int64(0)
		for _, d := range result[0].Ints {
			largest = max(largest, d)
		}
		return []Figure{{"diameter", largest}}
	},
}

// Eccentricity is how far the farthest vertex of the connected component is.
//
//	eccentricity(v) = max{ d(v, u) : u in the component of v }
//
// Distances are numbers of edges on the way, either way along each. O(n·m) at most, and much less where few searches
// leave only one number possible for most vertices. Takes and Kosters, "Computing the eccentricity distribution of large graphs", 2013.
var eccentricity = &Algorithm{
	Name:      "eccentricity",
	Summary:   "how far the farthest vertex of the connected component is",
	Source:    "Takes and Kosters 2013",
	Result:    []Column{{Name: "eccentricity", Type: Int}},
	Procedure: &Procedure{Edges: BothSides, Adjacency: true, EdgeColumns: noEdgeColumns},
	Oracle: func(g *Graph, _ Args) ([]Values, error) {
		far, _ := eccentricities(g)
		return intResult("eccentricity", Int, far), nil
	},
	Verify: verifyEccentricity,
	Figures: func(result []Values) []Figure {
		largest := int64(0)
		for _, d := range result[0].Ints {
			largest = max(largest, d)
		}
		return []Figure{{"diameter", largest}}
	},
}

// eccentricities searches from each vertex: how far it gets, and the smallest id that it finds.
func eccentricities(g *Graph) (far, component []int64) {
	far, component = make([]int64, g.N()), make([]int64, g.N())
	neighbors := neighborhoods(g)
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
func verifyDiameter(g *Graph, _ Args, result []Values) error {
	column, err := sole(g, result, Int)
	if err != nil {
		return err
	}
	neighbors, met := neighborhoods(g), make([]bool, g.N())
	for v, claimed := range column.Ints {
		for u, d := range hops(neighbors, v) {
			switch {
			case d > claimed:
				return wrongAt(g, v, "diameter %d, but vertex %d is %d edges away", claimed, g.IDs[u], d)
			case d >= 0 && column.Ints[u] != claimed:
				return wrongAt(g, v, "diameter %d, but %d at vertex %d, which it is joined with", claimed, column.Ints[u], g.IDs[u])
			case d == claimed:
				met[v] = true
			}
		}
	}
	for v := range met {
		if !met[v] && !anyReached(hops(neighbors, v), met) {
			return wrongAt(g, v, "diameter %d, but no two vertices of its component are that far apart", column.Ints[v])
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
func verifyEccentricity(g *Graph, _ Args, result []Values) error {
	column, err := sole(g, result, Int)
	if err != nil {
		return err
	}
	neighbors := neighborhoods(g)
	for v, claimed := range column.Ints {
		distance := hops(neighbors, v)
		farthest := v
		for u, d := range distance {
			if d > distance[farthest] {
				farthest = u
			}
		}
		if distance[farthest] != claimed {
			return wrongAt(g, v, "eccentricity %d, but the farthest vertex, %d, is %d edges away", claimed, g.IDs[farthest],
				distance[farthest])
		}
	}
	return nil
}
