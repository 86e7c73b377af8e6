package components

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/neighborhood"
)

// BiconnectedComponents are the largest parts of the graph that no vertex holds together alone: any two edges of one
// lie on a cycle. A vertex may be in several, but in one alone toward the vertex with the smallest id of its connected
// component, the root. That is what the result tells; all others with it have it as their top.
//
//	top(v) = the last vertex without which v cannot be reached from the root;
//	component(v) = min{ id(u) : top(u) = top(v), and u can be reached from v without it }
//
// So the component called c has all v of component(v) = c, and their top. Empty: v is a root. Direction, parallel edges
// and loops do not count; an edge that is a bridge is a component. O(n + m). Hopcroft and Tarjan, "Efficient algorithms
// for graph manipulation", 1973.
var BiconnectedComponents = &algorithms.Algorithm{
	Name:      "biconnected-components",
	Aliases:   []string{"bicomponents", "blocks"},
	Summary:   "biconnected components: parts that do not fall apart without any one vertex",
	Source:    "Hopcroft and Tarjan 1973",
	Result:    biconnectedColumns(),
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.NoEdgeColumns},
	Oracle:    biconnectedOracle,
	Verify:    verifyBiconnected,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		names := map[int64]bool{}
		for _, name := range result[0].Ints {
			if name != algorithms.Unreached {
				names[name] = true
			}
		}
		return []algorithms.Figure{{Name: "biconnected components", Value: int64(len(names))}}
	},
}

func biconnectedColumns() []algorithms.Column {
	return []algorithms.Column{{Name: "component", Type: algorithms.VertexID}, {Name: "top", Type: algorithms.VertexID}}
}

// biconnectedOracle takes each vertex away, and sees which others the root reaches no more: these it holds. Of those
// that hold a vertex the last is held by most.
func biconnectedOracle(g *algorithms.Graph, _ algorithms.Args) ([]algorithms.Values, error) {
	neighbors, n := neighborhood.All(g), g.N()
	root, held := make([]int, n), make([][]bool, n) // by which
	for v, id := range leastReached(g, neighbors) {
		for root[v] = 0; g.IDs[root[v]] != id; {
			root[v]++
		}
		held[v] = make([]bool, n)
	}
	for by := range n {
		reached := withoutVertex(by, neighbors, root[by])
		for v := range n {
			held[v][by] = v != by && root[v] == root[by] && !reached[v]
		}
	}
	holders := func(v int) (count int) {
		for _, yes := range held[v] {
			if yes {
				count++
			}
		}
		return count
	}
	top, component := make([]int64, n), make([]int64, n)
	for v := range n {
		last := -1
		for by, yes := range held[v] {
			if yes && (last < 0 || holders(by) > holders(last)) {
				last = by
			}
		}
		top[v], component[v] = algorithms.Unreached, algorithms.Unreached
		if last >= 0 {
			top[v] = g.IDs[last]
		}
	}
	for v := range n {
		if top[v] == algorithms.Unreached {
			continue
		}
		last := 0
		for g.IDs[last] != top[v] {
			last++
		}
		for u, reached := range withoutVertex(last, neighbors, v) {
			if reached && top[u] == top[v] {
				component[v] = min(component[v], g.IDs[u])
			}
		}
	}
	return append(answer.Ints("component", algorithms.VertexID, component),
		answer.Ints("top", algorithms.VertexID, top)...), nil
}

// withoutVertex are the vertices that can be reached from start when one is away; none where that is start.
func withoutVertex(away int, neighbors [][]uint32, start int) []bool {
	seen := make([]bool, len(neighbors))
	if seen[away] = true; start != away {
		neighborhood.Spread(start, seen, neighbors)
	}
	seen[away] = false
	return seen
}

// verifyBiconnected finds the components by fundamental cycles.
func verifyBiconnected(g *algorithms.Graph, _ algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, biconnectedColumns()...); err != nil {
		return err
	}
	b, least := newBlocks(g), map[int]int64{}
	for v, up := range b.parent {
		if class := b.find(v); up >= 0 {
			if name, known := least[class]; !known || g.IDs[v] < name {
				least[class] = g.IDs[v]
			}
		}
	}
	for v, up := range b.parent {
		component, top := algorithms.Unreached, algorithms.Unreached
		if up >= 0 {
			class := b.find(v)
			component, top = least[class], g.IDs[b.parent[class]]
		}
		if got := result[0].Ints[v]; got != component {
			return answer.WrongAt(g, v, "component %d instead of %d (%d: none)", got, component, algorithms.Unreached)
		}
		if got := result[1].Ints[v]; got != top {
			return answer.WrongAt(g, v, "top %d instead of %d (%d: none)", got, top, algorithms.Unreached)
		}
	}
	return nil
}
