package structure

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
)

// RichClub tells whether those with many neighbors are neighbors of each other: of the vertices with more neighbors
// than this one, which part of the pairs an edge joins.
//
//	φ(k) = 2·E(>k) / N(>k)·(N(>k)-1);   N(>k) vertices have more than k neighbors, and E(>k) edges join two of these
//
// Where fewer than two vertices have more it is 0. Direction, parallel edges and loops do not count. There is a row for
// each number of neighbors that a vertex has. It is not normalized: a random graph of the same degrees has a rich club,
// too. O(m·log d + n·log n). Zhou and Mondragón, "The rich-club phenomenon in the Internet topology", 2004; NetworkX has
// it as rich_club_coefficient with normalized=False.
var RichClub = &algorithms.Algorithm{
	Name:      "rich-club",
	Summary:   "rich-club coefficient: which part of the pairs of vertices with more neighbors is joined",
	Source:    "Zhou and Mondragón 2004",
	Result:    []algorithms.Column{{Name: "coefficient", Type: algorithms.Float}, {Name: "degree", Type: algorithms.Int}},
	Shape:     algorithms.OfGroups,
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    richClubOracle,
	Verify:    answer.Groups(richClubOracle),
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		most := int64(0)
		for _, degree := range result[1].Ints {
			most = max(most, degree)
		}
		return []algorithms.Figure{{Name: "most neighbors", Value: most}}
	},
}

// richClubOracle counts anew for each number of neighbors.
func richClubOracle(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	neighbors := neighborhood.All(g)
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
	return append(answer.Floats("coefficient", coefficient), answer.Ints("degree", algorithms.Int, degree)...), nil
}
