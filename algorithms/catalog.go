package algorithms

import (
	"fmt"
	"slices"
	"strings"
)

// Catalog are algorithms that a user can name.
type Catalog []*Algorithm

// All is the catalog that is built in: the vertex programs, then the procedures.
func All() Catalog {
	return Catalog{
		pageRank, pageRankDelta, personalizedPageRank, unscaledPageRank, articleRank, eigenvector, katz, degree,
		numPaths, adsorption, bfs, sssp, wcc,
		widestPath, narrowestPath, minReliability, maxReliability, maxCost, reachability,
		cdlp, labelPropagation, lcc, triangles, kcore, scc, betweenness, louvain, leiden, modularity, conductance,
		closeness, harmonic, hits, articulationPoints, bridges, biconnectedComponents, k1Coloring, spanningForest, kTruss,
		topologicalSort, longestPath, fastRP,
		motifs, richClub, diameter, eccentricity,
		shortestPaths, allPairs, maxFlow, steinerTree, slpa, egoNetwork,
		nodeSimilarity, linkPrediction, knn, kmeans,
		randomWalk, node2Vec, hashGNN,
		celf,
	}
}

// Lookup finds an algorithm of All by its name or an alias. It fails with an *UnknownAlgorithmError.
func Lookup(name string) (*Algorithm, error) { return All().Lookup(name) }

// Lookup finds an algorithm by its name or an alias. It fails with an *UnknownAlgorithmError.
func (c Catalog) Lookup(name string) (*Algorithm, error) {
	unknown := &UnknownAlgorithmError{Name: name}
	var names []string
	for _, a := range c {
		if a.Name == name || slices.Contains(a.Aliases, name) {
			return a, nil
		}
		unknown.Known = append(unknown.Known, a.Name)
		names = append(names, a.Name)
		names = append(names, a.Aliases...)
	}
	unknown.Nearest = nearest(name, names)
	return nil, unknown
}

// UnknownAlgorithmError is a name that the catalog does not have.
type UnknownAlgorithmError struct {
	Name    string
	Nearest string   // what was probably meant, or ""
	Known   []string // all names
}

func (e *UnknownAlgorithmError) Error() string {
	if e.Nearest != "" {
		return fmt.Sprintf("no algorithm is called %q; did you mean %s?", e.Name, e.Nearest)
	}
	return fmt.Sprintf("no algorithm is called %q; there are: %s", e.Name, strings.Join(e.Known, " "))
}
