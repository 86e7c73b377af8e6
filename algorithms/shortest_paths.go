package algorithms

import (
	"fmt"
	"math"
	"slices"
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
var shortestPaths = &Algorithm{
	Name:    "shortest-paths",
	Aliases: []string{"shortest-path", "dijkstra", "astar", "yens"},
	Summary: "shortest paths between vertices, or the k shortest of each pair (Dijkstra from both ends, A*, Yen)",
	Source:  "Dijkstra 1959; Nicholson 1966; Hart, Nilsson, Raphael 1968; Yen 1971; Lawler 1972",
	Params: []Param{
		{Name: "source", Type: ParamVertices, Doc: "where paths begin"},
		{Name: "target", Type: ParamVertices, Optional: true, Doc: "where they end; without it, at all that can be reached"},
		{Name: "k", Type: ParamInt, Default: "1", Min: 1, Max: MaxWidth, Doc: "paths of each pair, at most"},
		weightParam("the length of an edge"),
		coordinateParam("latitude", "degrees north"), coordinateParam("longitude", "degrees east"),
		coordinateParam("x", "a place on a plane"), coordinateParam("y", "a place on a plane"),
	},
	Shape:     OfPaths,
	Result:    []Column{{Name: "nodes", Type: VertexID}, {Name: "costs", Type: Float}},
	Rows:      pathRows,
	Procedure: &Procedure{Edges: BothSides, Adjacency: true, EdgeColumns: weightColumn},
	Oracle:    shortestPathsOracle,
	Verify:    verifyShortestPaths,
	Figures: func(result []Values) []Figure {
		paths, vertices := int64(0), int64(0)
		for i, id := range result[0].Ints {
			switch {
			case id != Unreached:
				vertices++
			case i > 0 && result[0].Ints[i-1] != Unreached:
				paths++
			}
		}
		return []Figure{{"paths", paths}, {"vertices on them", vertices}}
	},
}

func coordinateParam(name, what string) Param {
	return Param{Name: name, Type: ParamVertexProperty, Values: Float, Optional: true,
		Doc: "vertex property, " + what + ": coordinates guide the search (A*), and change no result"}
}

// leastRows is how many rows any number of paths may have, where one may not have more.
const leastRows = 1 << 22

// pathRows has room for all paths, each with the row behind it; or for many, and one of any length.
func pathRows(args Args) int {
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

// PathsError says that paths do not fit their table.
type PathsError struct{ Rows int }

func (e *PathsError) Error() string {
	return fmt.Sprintf("the paths have more than %d vertices in all: ask for fewer, by the target", e.Rows)
}

// shortestPathsOracle takes each pair by itself.
func shortestPathsOracle(g *Graph, args Args) ([]Values, error) {
	w, err := newWays(g, args)
	if err != nil {
		return nil, err
	}
	columns := shortestPathsColumns(args)
	nodes, costs := NewValues(columns[0], g.N()), NewValues(columns[1], g.N())
	for i := range nodes.Ints {
		nodes.Ints[i], costs.Floats[i] = Unreached, math.NaN()
	}
	at := 0
	for _, source := range args.Vertices["source"] {
		for _, target := range PathTargets(args, g.IDs) {
			for _, path := range w.yen(g.vertex(source), g.vertex(target), int(args.Ints["k"])) {
				if at+len(path.vertices) >= nodes.Len() {
					return nil, &PathsError{nodes.Len()}
				}
				for i, v := range path.vertices {
					nodes.Ints[at+i], costs.Floats[at+i] = g.IDs[v], path.costs[i]
				}
				at += len(path.vertices) + 1
			}
		}
	}
	return []Values{nodes, costs}, nil
}

// PathTargets are the ids of vertices that paths end at, of a graph that has these.
func PathTargets(args Args, ids []int64) []int64 {
	if targets := args.Vertices["target"]; len(targets) > 0 {
		return targets
	}
	return slices.Sorted(slices.Values(ids))
}

func shortestPathsColumns(args Args) []Column {
	rows := pathRows(args)
	return []Column{{Name: "nodes", Type: VertexID, Rows: rows}, {Name: "costs", Type: Float, Rows: rows}}
}

// verifyShortestPaths checks that each path goes along edges, visits no vertex twice, and costs what they weigh. That
// there is no less is what the oracle tells: the paths are its paths. Where sums are rounded, they need only cost as
// much.
func verifyShortestPaths(g *Graph, args Args, result []Values) error {
	if err := shaped(g, result, shortestPathsColumns(args)...); err != nil {
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
		return wrong("%d paths, %d of them different; not %d and %d", len(paths), got, len(least), want)
	}
	exact := w.exact()
	for i, p := range paths {
		q := least[i]
		same := p.vertices[0] == q.vertices[0] && p.end() == q.end() && near(p.cost(), q.cost())
		if !same || exact && !slices.Equal(p.vertices, q.vertices) {
			return wrong("path %d costs %v, by the vertices at %v; not %v, by %v", i, p.cost(), p.vertices, q.cost(), q.vertices)
		}
	}
	return nil
}
