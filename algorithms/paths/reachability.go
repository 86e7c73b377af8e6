package paths

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// Reachability says which vertices a path from the source leads to:
//
//	reached(source) = true,  reached(v) = ∨_{u→v} (reached(u) ∧ true)
//
// (and,or) in the table of vertex programs.
var Reachability = &algorithms.Algorithm{
	Name:    "reachability",
	Aliases: []string{"reach"},
	Summary: "which vertices can be reached from the source",
	Source:  "the CPU+NPU paper's table of vertex programs",
	Params:  []algorithms.Param{param.Source},
	Result:  []algorithms.Column{{Name: "reached", Type: algorithms.Bool}},
	Program: reachabilityProgram,
	Oracle:  reachabilityOracle,
	Verify:  verifyReachability,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		count := int64(0)
		for _, reached := range result[0].Bools {
			if reached {
				count++
			}
		}
		return []algorithms.Figure{{Name: "reached", Value: count}}
	},
}

func reachabilityProgram(args algorithms.Args) (*algorithms.Program, error) {
	return &algorithms.Program{
		Name: "reachability",
		State: []algorithms.State{{Name: "reached", Type: algorithms.Bool,
			Init: algorithms.Expr{Source: "id == source"}}},
		Process:   algorithms.Expr{Source: "src.reached"},
		Reduce:    algorithms.Or,
		Edges:     algorithms.Forward,
		Activity:  algorithms.Changed,
		Order:     algorithms.Monotone,
		Constants: []algorithms.Constant{argument.Source(args)},
	}, nil
}

// reachabilityOracle is depth-first search.
func reachabilityOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	source, err := argument.Start(g, args)
	if err != nil {
		return nil, err
	}
	result := algorithms.NewValues(algorithms.Column{Name: "reached", Type: algorithms.Bool}, g.N())
	var visit func(u int)
	visit = func(u int) {
		if result.Bools[u] {
			return
		}
		result.Bools[u] = true
		for _, v := range g.Out.Of(u) {
			visit(int(v))
		}
	}
	visit(source)
	return []algorithms.Values{result}, nil
}

func verifyReachability(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	column, err := answer.Sole(g, result, algorithms.Bool)
	if err != nil {
		return err
	}
	source, err := argument.Start(g, args)
	if err != nil {
		return err
	}
	return verifyReach(g, source, func(v int) bool { return column.Bools[v] })
}

// verifyReach checks that reached holds for the source, that no edge leads out of it, and
// that all of it can be visited from the source within it.
func verifyReach(g *algorithms.Graph, source int, reached func(v int) bool) error {
	if !reached(source) {
		return answer.WrongAt(g, source, "the source does not count as reached")
	}
	seen := make([]bool, g.N())
	seen[source] = true
	for stack := []int{source}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, v := range g.Out.Of(u) {
			if !reached(int(v)) {
				return answer.WrongAt(g, int(v), "not reached, but an edge comes from vertex %d, which is", g.IDs[u])
			}
			if !seen[v] {
				seen[v] = true
				stack = append(stack, int(v))
			}
		}
	}
	for v := range seen {
		if reached(v) && !seen[v] {
			return answer.WrongAt(g, v, "counts as reached, but no path leads there")
		}
	}
	return nil
}
