package components

import (
	"fmt"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// WCC labels each vertex with the smallest id in its weakly connected component:
//
//	label(v) = min{ id(u) : u and v are joined by edges, whatever their direction }
//
// by min-label propagation, (×,min) with every weight 1. With a threshold only edges count that weigh more. LDBC
// Graphalytics 1.0.1, section 2.3.3; the threshold is Neo4j GDS's.
var WCC = &algorithms.Algorithm{
	Name:    "wcc",
	Aliases: []string{"cc", "components"},
	Summary: "weakly connected components, named by their smallest vertex",
	Source:  "LDBC Graphalytics 1.0.1, 2.3.3",
	Params: []algorithms.Param{
		param.Weight("what an edge weighs, for threshold"),
		{Name: "threshold", Type: algorithms.ParamFloat, Optional: true, Min: -math.MaxFloat64, Max: math.MaxFloat64,
			Doc: "only edges join vertices that weigh more; without it, all do"},
	},
	Result:  []algorithms.Column{{Name: "component", Type: algorithms.VertexID}},
	Yield:   "componentId",
	Program: wccProgram,
	Oracle:  wccOracle,
	Verify:  verifyWCC,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		return []algorithms.Figure{{Name: "components", Value: answer.Distinct(result[0].Ints)}}
	},
}

// joins tells which entries of lists count, by their places.
func joins(l algorithms.Lists, args algorithms.Args) func(at int) bool {
	threshold, given := args.Floats["threshold"]
	if !given {
		return func(int) bool { return true }
	}
	weights := l.Weights(args.Strings["weight"])
	return func(at int) bool { return weights[at] > threshold }
}

func wccProgram(args algorithms.Args) (*algorithms.Program, error) {
	p := &algorithms.Program{
		Name:     "wcc",
		State:    []algorithms.State{{Name: "component", Type: algorithms.VertexID, Init: algorithms.Expr{Source: "id"}}},
		Process:  algorithms.Expr{Source: "src.component"},
		Reduce:   algorithms.Min,
		Edges:    algorithms.BothSides,
		Activity: algorithms.Changed,
		Order:    algorithms.Monotone,
	}
	if _, given := args.Floats["threshold"]; given {
		p.Process.Source = fmt.Sprintf("%s > threshold ? src.component : %d", argument.Weight(args), algorithms.Unreached)
		p.Constants = []algorithms.Constant{argument.Float(args, "threshold")}
	}
	return p, nil
}

// wccOracle is union-find with path halving (Tarjan and van Leeuwen 1984); of two roots
// the one with the smaller id wins.
func wccOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
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
	joins := joins(g.Out, args)
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
	return answer.Ints("component", algorithms.VertexID, label), nil
}

// verifyWCC checks that edges join equal labels, that no id is below its label, and that
// the vertices with a label can all be reached from the vertex it names.
func verifyWCC(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	column, err := answer.Sole(g, result, algorithms.VertexID)
	if err != nil {
		return err
	}
	label := column.Ints
	seen, joins := make([]bool, g.N()), [2]func(int) bool{joins(g.Out, args), joins(g.In, args)}
	for root := range label {
		if label[root] == g.IDs[root] {
			flood(g, joins, root, seen)
		}
	}
	for v := range label {
		if !seen[v] || label[v] > g.IDs[v] {
			return answer.WrongAt(g, v, "component %d does not name a vertex that it is joined to, or not the smallest",
				label[v])
		}
		for k, u := range g.Out.Of(v) {
			if joins[0](g.Out.Offsets[v]+k) && label[u] != label[v] {
				return answer.WrongAt(g, v, "component %d, but an edge joins it with vertex %d in component %d", label[v], g.IDs[u],
					label[u])
			}
		}
	}
	return nil
}

// flood marks every vertex that edges which count join with root, whatever their direction.
func flood(g *algorithms.Graph, joins [2]func(int) bool, root int, seen []bool) {
	if seen[root] {
		return
	}
	seen[root] = true
	sides := []algorithms.Lists{g.Out, g.In}
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
