package components

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
	"github.com/penstock-db/penstock/algorithms/internal/position"
)

// Bridges are the edges without which a component falls apart. A connected component is rooted at its smallest id; a
// bridge belongs to the end that it joins with the root, of which there is one, and no end has two.
//
//	bridge(v) = u where v's component falls apart without an edge between u and v, and u is on the side of the root;
//	component(v) = min{ id(w) : no bridge is on the way from v to w }
//
// Empty: v has no bridge toward the root. Component names the 2-edge-connected component. Direction and loops do not
// count; of two parallel edges none is a bridge. O(n + m). Neo4j GDS lists bridges by their ends, a row each. Tarjan,
// "A note on finding the bridges of a graph", 1974.
var Bridges = &algorithms.Algorithm{
	Name:      "bridges",
	Summary:   "bridges: edges without which a component falls apart; 2-edge-connected components",
	Source:    "Tarjan 1974",
	Result:    bridgeColumns(),
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    bridgesOracle,
	Verify:    verifyBridges,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		count := int64(0)
		for _, end := range result[0].Ints {
			if end != algorithms.Unreached {
				count++
			}
		}
		return []algorithms.Figure{{Name: "bridges", Value: count},
			{Name: "components", Value: answer.Distinct(result[1].Ints)}}
	},
}

func bridgeColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "bridge", Type: algorithms.VertexID}, {Name: "component", Type: algorithms.VertexID}}
}

// bridgesOracle takes each edge away that has no parallel one, and searches for its one end from the other. Where it is
// not found, the side without the smallest id has the bridge; components are what is left without all bridges.
func bridgesOracle(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	bridge, neighbors := make([]int64, g.N()), neighborhood.All(g)
	kept := make([][]uint32, g.N())
	for v := range neighbors {
		bridge[v] = algorithms.Unreached
		for _, u := range neighbors[v] {
			near := without(v, u, neighbors)
			seen := make([]bool, g.N())
			neighborhood.Spread(v, seen, near)
			if seen[u] || edgesBetween(g, v, int(u)) > 1 {
				kept[v] = append(kept[v], u)
				continue
			}
			other := make([]bool, g.N())
			neighborhood.Spread(int(u), other, near)
			if leastMarked(g, other) < leastMarked(g, seen) {
				bridge[v] = g.IDs[u]
			}
		}
	}
	return append(answer.Ints("bridge", algorithms.VertexID, bridge),
		answer.Ints("component", algorithms.VertexID, leastReached(g, kept))...), nil
}

// without are the neighbors when v and u are none of each other.
func without(v int, u uint32, neighbors [][]uint32) [][]uint32 {
	left := append([][]uint32{}, neighbors...)
	left[v], left[u] = neighborhood.Of(int(u), neighbors[v]), neighborhood.Of(v, neighbors[u])
	return left
}

// edgesBetween is how many edges join two vertices.
func edgesBetween(g *algorithms.Graph, v, u int) (count int) {
	for _, w := range g.Out.Of(v) {
		if int(w) == u {
			count++
		}
	}
	if !g.Directed {
		return count
	}
	for _, w := range g.In.Of(v) {
		if int(w) == u {
			count++
		}
	}
	return count
}

// leastMarked is the smallest id of those that are marked.
func leastMarked(g *algorithms.Graph, marked []bool) int64 {
	least := algorithms.Unreached
	for v, yes := range marked {
		if yes {
			least = min(least, g.IDs[v])
		}
	}
	return least
}

// leastReached is, of each vertex, the smallest id that it reaches.
func leastReached(g *algorithms.Graph, neighbors [][]uint32) []int64 {
	least, seen := make([]int64, g.N()), make([]bool, g.N())
	for _, root := range position.Ascending(g.IDs) {
		if seen[root] {
			continue
		}
		found := make([]bool, g.N())
		neighborhood.Spread(root, found, neighbors)
		for v, yes := range found {
			if yes {
				least[v], seen[v] = g.IDs[root], true
			}
		}
	}
	return least
}

// verifyBridges compares bridges with those edges of a spanning forest that no fundamental cycle has.
func verifyBridges(g *algorithms.Graph, _ algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, bridgeColumns()...); err != nil {
		return err
	}
	b := newBlocks(g)
	root := make([]int, g.N()) // of the forest that is left without bridges
	for _, v := range b.order {
		want, up := algorithms.Unreached, b.parent[v]
		switch {
		case up < 0:
			root[v] = v
		case b.size[b.find(v)] > 1 || edgesBetween(g, v, up) > 1:
			root[v] = root[up]
		default:
			want, root[v] = g.IDs[up], v
		}
		if got := result[0].Ints[v]; got != want {
			return answer.WrongAt(g, v, "bridge to %d instead of %d (%d: none)", got, want, algorithms.Unreached)
		}
	}
	for v, least := range leastIDs(g, root) {
		if got := result[1].Ints[v]; got != least {
			return answer.WrongAt(g, v, "component %d instead of %d", got, least)
		}
	}
	return nil
}

// leastIDs names each group of vertices by the smallest id in it.
func leastIDs(g *algorithms.Graph, group []int) []int64 {
	least := map[int]int64{}
	for v, c := range group {
		if id, known := least[c]; !known || g.IDs[v] < id {
			least[c] = g.IDs[v]
		}
	}
	labels := make([]int64, len(group))
	for v, c := range group {
		labels[v] = least[c]
	}
	return labels
}
