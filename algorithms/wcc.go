package algorithms

import (
	"fmt"
	"math"
)

// WCC labels each vertex with the smallest id in its weakly connected component:
//
//	label(v) = min{ id(u) : u and v are joined by edges, whatever their direction }
//
// by min-label propagation, (×,min) with every weight 1. With a threshold only edges count that weigh more. LDBC
// Graphalytics 1.0.1, section 2.3.3; the threshold is Neo4j GDS's.
var wcc = &Algorithm{
	Name:    "wcc",
	Aliases: []string{"cc", "components"},
	Summary: "weakly connected components, named by their smallest vertex",
	Source:  "LDBC Graphalytics 1.0.1, 2.3.3",
	Params: []Param{
		weightParam("what an edge weighs, for threshold"),
		{Name: "threshold", Type: ParamFloat, Optional: true, Min: -math.MaxFloat64, Max: math.MaxFloat64,
			Doc: "only edges join vertices that weigh more; without it, all do"},
	},
	Result:  []Column{{Name: "component", Type: VertexID}},
	Yield:   "componentId",
	Program: wccProgram,
	Oracle:  wccOracle,
	Verify:  verifyWCC,
	Figures: func(result []Values) []Figure { return []Figure{{"components", distinct(result[0].Ints)}} },
}

// joins tells which entries of lists count, by their places.
func (l Lists) joins(args Args) func(at int) bool {
	threshold, given := args.Floats["threshold"]
	if !given {
		return func(int) bool { return true }
	}
	weights := l.weights(args.Strings["weight"])
	return func(at int) bool { return weights[at] > threshold }
}

func wccProgram(args Args) (*Program, error) {
	p := &Program{
		Name:     "wcc",
		State:    []State{{Name: "component", Type: VertexID, Init: Expr{Source: "id"}}},
		Process:  Expr{Source: "src.component"},
		Reduce:   Min,
		Edges:    BothSides,
		Activity: Changed,
		Order:    Monotone,
	}
	if _, given := args.Floats["threshold"]; given {
		p.Process.Source = fmt.Sprintf("%s > threshold ? src.component : %d", args.weight(), Unreached)
		p.Constants = []Constant{args.float("threshold")}
	}
	return p, nil
}

// wccOracle is union-find with path halving (Tarjan and van Leeuwen 1984); of two roots
// the one with the smaller id wins.
func wccOracle(g *Graph, args Args) ([]Values, error) {
	parent := make([]int, g.N())
	for v := range parent {
		parent[v] = v
	}
	find := func(v int) int {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	joins := g.Out.joins(args)
	for u := range parent {
		for k, v := range g.Out.Of(u) {
			if !joins(g.Out.Offsets[u] + k) {
				continue
			}
			a, b := find(u), find(int(v))
			if g.IDs[a] > g.IDs[b] {
				a, b = b, a
			}
			parent[b] = a
		}
	}
	label := make([]int64, g.N())
	for v := range label {
		label[v] = g.IDs[find(v)]
	}
	return intResult("component", VertexID, label), nil
}

// verifyWCC checks that edges join equal labels, that no id is below its label, and that
// the vertices with a label can all be reached from the vertex it names.
func verifyWCC(g *Graph, args Args, result []Values) error {
	column, err := sole(g, result, VertexID)
	if err != nil {
		return err
	}
	label := column.Ints
	seen, joins := make([]bool, g.N()), [2]func(int) bool{g.Out.joins(args), g.In.joins(args)}
	for root := range label {
		if label[root] == g.IDs[root] {
			flood(g, joins, root, seen)
		}
	}
	for v := range label {
		if !seen[v] || label[v] > g.IDs[v] {
			return wrongAt(g, v, "component %d does not name a vertex that it is joined to, or not the smallest", label[v])
		}
		for k, u := range g.Out.Of(v) {
			if joins[0](g.Out.Offsets[v]+k) && label[u] != label[v] {
				return wrongAt(g, v, "component %d, but an edge joins it with vertex %d in component %d", label[v], g.IDs[u],
					label[u])
			}
		}
	}
	return nil
}

// flood marks every vertex that edges which count join with root, whatever their direction.
func flood(g *Graph, joins [2]func(int) bool, root int, seen []bool) {
	if seen[root] {
		return
	}
	seen[root] = true
	sides := []Lists{g.Out, g.In}
	for stack := []int{root}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for side, lists := range sides {
			for k, v := range lists.Of(u) {
				if !seen[v] && joins[side](lists.Offsets[u]+k) {
					seen[v] = true
					stack = append(stack, int(v))
				}
			}
		}
	}
}

// distinct counts the different values.
func distinct(values []int64) int64 {
	seen := map[int64]struct{}{}
	for _, x := range values {
		seen[x] = struct{}{}
	}
	return int64(len(seen))
}
