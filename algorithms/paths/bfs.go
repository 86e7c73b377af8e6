package paths

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// BFS gives each vertex its distance from the source, in edges:
//
//	depth(source) = 0,  depth(v) = 1 + min_{u→v} depth(u)
//
// and Unreached where no path leads. Moore, "The Shortest Path Through a Maze", 1959;
// LDBC Graphalytics 1.0.1, section 2.3.1.
var BFS = &algorithms.Algorithm{
	Name:    "bfs",
	Summary: "breadth-first search: the number of edges from the source",
	Source:  "Moore 1959; LDBC Graphalytics 1.0.1, 2.3.1",
	Params:  []algorithms.Param{param.Source},
	Result:  []algorithms.Column{{Name: "depth", Type: algorithms.Int}},
	Yield:   "distance",
	Program: bfsProgram,
	Oracle:  bfsOracle,
	Verify:  verifyBFS,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		reached := int64(0)
		for _, depth := range result[0].Ints {
			if depth != algorithms.Unreached {
				reached++
			}
		}
		return []algorithms.Figure{{Name: "reached", Value: reached}}
	},
}

func bfsProgram(args algorithms.Args) (*algorithms.Program, error) {
	return &algorithms.Program{
		Name: "bfs",
		State: []algorithms.State{{Name: "depth", Type: algorithms.Int,
			Init: algorithms.Expr{Source: "id == source ? 0 : unreached"}}},
		Process:   algorithms.Expr{Source: "src.depth + 1"},
		Reduce:    algorithms.Min,
		Edges:     algorithms.Forward,
		Activity:  algorithms.Changed,
		Order:     algorithms.Monotone,
		Constants: []algorithms.Constant{argument.Source(args)},
	}, nil
}

// bfsOracle visits vertices in the order of a queue.
func bfsOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	source, err := argument.Start(g, args)
	if err != nil {
		return nil, err
	}
	depth := make([]int64, g.N())
	for v := range depth {
		depth[v] = algorithms.Unreached
	}
	depth[source] = 0
	for queue := []int{source}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		for _, v := range g.Out.Of(u) {
			if depth[v] == algorithms.Unreached {
				depth[v] = depth[u] + 1
				queue = append(queue, int(v))
			}
		}
	}
	return answer.Ints("depth", algorithms.Int, depth), nil
}

// verifyBFS checks that only the source has depth 0, that no edge leads more than one
// level down, and that every other reached vertex has a neighbor one level up.
func verifyBFS(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	column, err := answer.Sole(g, result, algorithms.Int)
	if err != nil {
		return err
	}
	source, err := argument.Start(g, args)
	if err != nil {
		return err
	}
	depth := column.Ints
	for v := range depth {
		if (depth[v] == 0) != (v == source) || depth[v] < 0 {
			return answer.WrongAt(g, v, "depth %d, and the source is %d", depth[v], g.IDs[source])
		}
		parent := v == source || depth[v] == algorithms.Unreached
		for _, u := range g.In.Of(v) {
			if depth[u] != algorithms.Unreached && depth[v] > depth[u]+1 {
				return answer.WrongAt(g, v, "depth %d, but an edge comes from vertex %d at depth %d", depth[v], g.IDs[u], depth[u])
			}
			parent = parent || (depth[u] != algorithms.Unreached && depth[u]+1 == depth[v])
		}
		if !parent {
			return answer.WrongAt(g, v, "depth %d, but no edge comes from depth %d", depth[v], depth[v]-1)
		}
	}
	return nil
}
