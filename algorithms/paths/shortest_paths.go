package paths

import (
	"fmt"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/answer"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// ShortestPaths finds the shortest path from each source to each target, or the k shortest: for each pair, in the order
// in which they are named, up to k paths, the least first. Without a target named all vertices are, by ids.
//
//	a path is less than another by its cost, the sum of its weights from the source on; of the same cost by how many
//	edges it has; of as many by ids, the first that differ
//
// So there is one result. A path visits no vertex twice; of parallel edges the lightest counts; from a vertex to itself
// there is one path, without edges. Weights must be finite and not below 0. Where sums are rounded, paths whose costs
// are the same but for that may stand for each other.
//
// One pair is searched from both ends (Dantzig 1960; Nicholson 1966); one source with several targets until all are
// settled (Dijkstra 1959); several sources so, one after the other. With coordinates each pair is searched by A* (Hart,
// Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost paths", 1968): a path from v to the
// target is not shorter than c·|v - target|, where c is the least weight of any edge by the distance of its ends. This
// bound holds whatever weights and coordinates are, by the triangle inequality, so that they never change the result.
// The k shortest are by Yen, "Finding the k shortest loopless paths in a network", 1971, with the improvement of Lawler,
// "A procedure for computing the k best solutions to discrete optimization problems", 1972: each way off a path is an A*
// search by the distances to the target in the whole graph. Parameters as in Neo4j GDS.
var ShortestPaths = &algorithms.Algorithm{
	Name:    "shortest-paths",
	Aliases: []string{"shortest-path", "dijkstra", "astar", "yens"},
	Summary: "shortest paths between vertices, or the k shortest of each pair (Dijkstra from both ends, A*, Yen)",
	Source:  "Dijkstra 1959; Nicholson 1966; Hart, Nilsson, Raphael 1968; Yen 1971; Lawler 1972",
	Params: []algorithms.Param{
		{Name: "source", Type: algorithms.ParamVertices, Doc: "where paths begin"},
		{Name: "target", Type: algorithms.ParamVertices, Optional: true,
			Doc: "where they end; without it, at all that can be reached"},
		{Name: "k", Type: algorithms.ParamInt, Default: "1", Min: 1, Max: algorithms.MaxWidth,
			Doc: "paths of each pair, at most"},
		param.Weight("the length of an edge"),
		coordinateParam("latitude", "degrees north"), coordinateParam("longitude", "degrees east"),
		coordinateParam("x", "a place on a plane"), coordinateParam("y", "a place on a plane"),
	},
	Shape:     algorithms.OfPaths,
	Result:    []algorithms.Column{{Name: "nodes", Type: algorithms.VertexID}, {Name: "costs", Type: algorithms.Float}},
	Rows:      pathRows,
	Procedure: &algorithms.Procedure{Edges: algorithms.BothSides, Adjacency: true, EdgeColumns: argument.EdgeColumns},
	Oracle:    shortestPathsOracle,
	Verify:    verifyShortestPaths,
	Figures: func(result []algorithms.Values) []algorithms.Figure {
		paths, vertices := int64(0), int64(0)
		for i, id := range result[0].Ints {
			switch {
			case id != algorithms.Unreached:
				vertices++
			case i > 0 && result[0].Ints[i-1] != algorithms.Unreached:
				paths++
			}
		}
		return []algorithms.Figure{{Name: "paths", Value: paths}, {Name: "vertices on them", Value: vertices}}
	},
}

func coordinateParam(name, what string) algorithms.Param {
	return algorithms.Param{Name: name, Type: algorithms.ParamVertexProperty, Values: algorithms.Float, Optional: true,
		Doc: "vertex property, " + what + ": coordinates guide the search (A*), and change no result"}
}

// leastRows is how many rows any number of paths may have, where one may not have more.
const leastRows = 1 << 22

// pathRows has room for all paths, each with the row behind it; or for many, and one of any length.
func pathRows(args algorithms.Args) int {
	targets := len(args.Vertices["target"])
	if targets == 0 {
		targets = args.N
	}
	paths := len(args.Vertices["source"]) * targets * int(args.Ints["k"])
	longest := args.N + 1
	if most := max(longest, leastRows); paths > most/longest {
		return most
	}
	return max(1, paths*longest)
}

// RowsError says that paths do not fit their table.
type RowsError struct{ Rows int }

func (e *RowsError) Error() string {
	return fmt.Sprintf("the paths have more than %d vertices in all: ask for fewer, by the target", e.Rows)
}

// shortestPathsOracle takes each pair by itself.
func shortestPathsOracle(g *algorithms.Graph, args algorithms.Args) ([]algorithms.Values, error) {
	w, err := newWays(g, args)
	if err != nil {
		return nil, err
	}
	columns := shortestPathsColumns(args)
	nodes, costs := algorithms.NewValues(columns[0], g.N()), algorithms.NewValues(columns[1], g.N())
	for i := range nodes.Ints {
		nodes.Ints[i], costs.Floats[i] = algorithms.Unreached, math.NaN()
	}
	at := 0
	for _, source := range args.Vertices["source"] {
		for _, target := range Targets(args, g.IDs) {
			for _, path := range w.yen(g.Vertex(source), g.Vertex(target), int(args.Ints["k"])) {
				if at+len(path.vertices) >= nodes.Len() {
					return nil, &RowsError{nodes.Len()}
				}
				for i, v := range path.vertices {
					nodes.Ints[at+i], costs.Floats[at+i] = g.IDs[v], path.costs[i]
				}
				at += len(path.vertices) + 1
			}
		}
	}
	return []algorithms.Values{nodes, costs}, nil
}

// Targets are the ids of vertices that paths end at, of a graph that has these.
func Targets(args algorithms.Args, ids []int64) []int64 {
	if targets := args.Vertices["target"]; len(targets) > 0 {
		return targets
	}
	return slices.Sorted(slices.Values(ids))
}

func shortestPathsColumns(args algorithms.Args) []algorithms.Column {
	rows := pathRows(args)
	return []algorithms.Column{{Name: "nodes", Type: algorithms.VertexID, Rows: rows},
		{Name: "costs", Type: algorithms.Float, Rows: rows}}
}

// verifyShortestPaths checks that each path goes along edges, visits no vertex twice, and costs what they weigh. That
// there is no less is what the oracle tells: the paths are its paths. Where sums are rounded, they need only cost as
// much.
func verifyShortestPaths(g *algorithms.Graph, args algorithms.Args, result []algorithms.Values) error {
	if err := answer.Shaped(g, result, shortestPathsColumns(args)...); err != nil {
		return err
	}
	w, err := newWays(g, args)
	if err != nil {
		return err
	}
	want, err := shortestPathsOracle(g, args)
	if err != nil {
		return err
	}
	least, err := w.read(want)
	if err != nil {
		return err
	}
	paths, err := w.read(result)
	if err != nil {
		return err
	}
	if got, want := differentWays(paths), differentWays(least); len(paths) != len(least) || got != want {
		return answer.Wrong("%d paths, %d of them different; not %d and %d", len(paths), got, len(least), want)
	}
	exact := w.exact()
	for i, p := range paths {
		q := least[i]
		same := p.vertices[0] == q.vertices[0] && p.end() == q.end() && answer.Near(p.cost(), q.cost())
		if !same || exact && !slices.Equal(p.vertices, q.vertices) {
			return answer.Wrong("path %d costs %v, by the vertices at %v; not %v, by %v", i, p.cost(), p.vertices, q.cost(),
				q.vertices)
		}
	}
	return nil
}
