package algorithms

import "math"

// LongestPath gives each vertex of a directed acyclic graph the dearest path that ends there.
//
//	cost(v) = max{ cost(u) + w(u,v) : u→v }, 0 where no edge comes to v
//	parent(v) = u of that maximum, of several the one with the smallest id
//
// Paths begin where no edge comes to, so that the cost may be negative where weights are. A cycle is a *DivergedError
// that names it, whatever its weights. Unlike max-cost, it goes from no source, and takes one pass. O(n + m). Neo4j GDS
// lists paths, a row each. Sedgewick and Wayne, "Algorithms", 4th ed., 2011, section 4.4 (critical path method).
var longestPath = &Algorithm{
	Name:    "longest-path",
	Summary: "dearest path to each vertex of a directed acyclic graph",
	Source:  "Sedgewick and Wayne 2011, section 4.4",
	Params:  []Param{weightParam("how long an edge is")},
	Result:  longestColumns(),
	Acyclic: true,
	Procedure: &Procedure{Edges: BothSides, Adjacency: true, EdgeColumns: weightColumn,
		Diverged: noOrder},
	Oracle: longestOracle,
	Verify: verifyLongestPath,
	Figures: func(result []Values) []Figure {
		roots := int64(0)
		for _, parent := range result[1].Ints {
			if parent == Unreached {
				roots++
			}
		}
		return []Figure{{"starts", roots}}
	},
}

func longestColumns() []Column {
	return []Column{{Name: "cost", Type: Float}, {Name: "parent", Type: VertexID}}
}

// longestOracle lets paths have one edge more, as often as a path may have edges (Bellman 1958).
func longestOracle(g *Graph, args Args) ([]Values, error) {
	if err := finiteWeights(g, args, "a longest path"); err != nil {
		return nil, err
	}
	if _, err := levels(g, "longest-path"); err != nil {
		return nil, err
	}
	cost, parent, weights := make([]float64, g.N()), make([]int64, g.N()), g.In.weights(args.Strings["weight"])
	for v := range cost {
		if parent[v] = Unreached; g.In.Degree(v) > 0 {
			cost[v] = math.Inf(-1)
		}
	}
	for range g.N() {
		for v := range cost {
			if g.In.Degree(v) > 0 {
				cost[v], parent[v] = longestTo(g, weights, cost, v)
			}
		}
	}
	return append(floatResult("cost", cost), intResult("parent", VertexID, parent)...), nil
}

// longestTo is the most that in-neighbors make of v's cost, and which of them.
func longestTo(g *Graph, weights, cost []float64, v int) (most float64, parent int64) {
	most, parent = math.Inf(-1), Unreached
	for k, u := range g.In.Of(v) {
		along, id := cost[u]+weights[g.In.Offsets[v]+k], g.IDs[u]
		if along > most || along == most && id < parent {
			most, parent = along, id
		}
	}
	return most, parent
}

// finiteWeights fails where an edge weighs no finite number.
func finiteWeights(g *Graph, args Args, what string) error {
	weights := g.Out.weights(args.Strings["weight"])
	for v := range g.N() {
		for k := g.Out.Offsets[v]; k < g.Out.Offsets[v+1]; k++ {
			if w := weights[k]; w-w != 0 {
				return wrongAt(g, v, "an edge of it weighs %v; %s needs finite weights", w, what)
			}
		}
	}
	return nil
}

// verifyLongestPath checks that each vertex has what the best of its in-neighbors makes of it. In a graph without
// cycles there is one such result.
func verifyLongestPath(g *Graph, args Args, result []Values) error {
	if err := shaped(g, result, longestColumns()...); err != nil {
		return err
	}
	if _, err := levels(g, "longest-path"); err != nil {
		return err
	}
	cost, parent, weights := result[0].Floats, result[1].Ints, g.In.weights(args.Strings["weight"])
	for v := range cost {
		want, from := 0.0, Unreached
		if g.In.Degree(v) > 0 {
			want, from = longestTo(g, weights, cost, v)
		}
		if cost[v] != want || parent[v] != from {
			return wrongAt(g, v, "%v by %d; its in-neighbors make it %v by %d (%d: none)", cost[v], parent[v], want, from,
				Unreached)
		}
	}
	return nil
}
