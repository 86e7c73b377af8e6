package algorithms

import (
	"fmt"
	"slices"
)

// All lists the catalog: the vertex programs, then the procedures.
func All() []*Algorithm {
	return []*Algorithm{
		pageRank, pageRankDelta, personalizedPageRank, numPaths, adsorption, bfs, sssp, wcc,
		widestPath, narrowestPath, minReliability, maxReliability, maxCost, reachability,
		cdlp, lcc, triangles, kcore, scc, betweenness, louvain, leiden,
	}
}

// Lookup finds an algorithm by its name or an alias. It fails with an *UnknownAlgorithmError.
func Lookup(name string) (*Algorithm, error) {
	var names []string
	for _, a := range All() {
		if a.Name == name || slices.Contains(a.Aliases, name) {
			return a, nil
		}
		names = append(names, a.Name)
		names = append(names, a.Aliases...)
	}
	return nil, &UnknownAlgorithmError{Name: name, Nearest: nearest(name, names)}
}

// UnknownAlgorithmError is a name that the catalog does not have.
type UnknownAlgorithmError struct {
	Name    string
	Nearest string // what was probably meant, or ""
}

func (e *UnknownAlgorithmError) Error() string {
	if e.Nearest != "" {
		return fmt.Sprintf("no algorithm is called %q; did you mean %s?", e.Name, e.Nearest)
	}
	names := ""
	for _, a := range All() {
		names += " " + a.Name
	}
	return fmt.Sprintf("no algorithm is called %q; there are:%s", e.Name, names)
}
