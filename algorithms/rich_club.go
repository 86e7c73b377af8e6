package algorithms

// RichClub tells whether those with many neighbors are neighbors of each other: of the vertices with more neighbors
// than this one, which part of the pairs an edge joins.
//
//	φ(k) = 2·E(>k) / N(>k)·(N(>k)-1);   N(>k) vertices have more than k neighbors, and E(>k) edges join two of these
//
// Where fewer than two vertices have more it is 0. Direction, parallel edges and loops do not count. There is a row for
// each number of neighbors that a vertex has. It is not normalized: a random graph of the same degrees has a rich club,
// too. O(m·log d + n·log n). Zhou and Mondragón, "The rich-club phenomenon in the Internet topology", 2004; NetworkX has
// it as rich_club_coefficient with normalized=False.
var richClub = &Algorithm{
	Name:      "rich-club",
	Summary:   "rich-club coefficient: which part of the pairs of vertices with more neighbors is joined",
	Source:    "Zhou and Mondragón 2004",
	Result:    []Column{{Name: "coefficient", Type: Float}, {Name: "degree", Type: Int}},
	Shape:     OfGroups,
	Procedure: &Procedure{Edges: BothSides, Adjacency: true, EdgeColumns: noEdgeColumns},
	Oracle:    richClubOracle,
	Verify:    verifyGroups(richClubOracle),
	Figures: func(result []Values) []Figure {
		most := int64(0)
		for _, degree := range result[1].Ints {
			most = max(most, degree)
		}
		return []Figure{{"most neighbors", most}}
	},
}

// richClubOracle counts anew for each number of neighbors.
func richClubOracle(g *Graph, _ Args) ([]Values, error) {
	neighbors := neighborhoods(g)
	degree, of := make([]int64, g.N()), map[int64]float64{}
	for v, near := range neighbors {
		degree[v] = int64(len(near))
		of[degree[v]] = 0
	}
	for k := range of {
		vertices, ends := 0.0, 0.0
		for v, near := range neighbors {
			if degree[v] <= k {
				continue
			}
			vertices++
			for _, u := range near {
				if degree[u] > k {
					ends++
				}
			}
		}
		if vertices > 1 {
			of[k] = ends / (vertices * (vertices - 1))
		}
	}
	coefficient := make([]float64, g.N())
	for v, k := range degree {
		coefficient[v] = of[k]
	}
	return append(floatResult("coefficient", coefficient), intResult("degree", Int, degree)...), nil
}
