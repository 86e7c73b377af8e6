package algorithms

// BFS gives each vertex its distance from the source, in edges:
//
//	depth(source) = 0,  depth(v) = 1 + min_{u→v} depth(u)
//
// and Unreached where no path leads. Moore, "The Shortest Path Through a Maze", 1959;
// LDBC Graphalytics 1.0.1, section 2.3.1.
var bfs = &Algorithm{
	Name:    "bfs",
	Summary: "breadth-first search: the number of edges from the source",
	Source:  "Moore 1959; LDBC Graphalytics 1.0.1, 2.3.1",
	Params:  []Param{sourceParam},
	Result:  []Column{{Name: "depth", Type: Int}},
	Yield:   "distance",
	Program: bfsProgram,
	Oracle:  bfsOracle,
	Verify:  verifyBFS,
	Figures: func(result []Values) []Figure {
		reached := int64(0)
		for _, depth := range result[0].Ints {
			if depth != Unreached {
				reached++
			}
		}
		return []Figure{{"reached", reached}}
	},
}

func bfsProgram(args Args) (*Program, error) {
	return &Program{
		Name:      "bfs",
		State:     []State{{Name: "depth", Type: Int, Init: Expr{Source: "id == source ? 0 : unreached"}}},
		Process:   Expr{Source: "src.depth + 1"},
		Reduce:    Min,
		Edges:     Forward,
		Activity:  Changed,
		Order:     Monotone,
		Constants: []Constant{args.source()},
	}, nil
}

// bfsOracle visits vertices in the order of a queue.
func bfsOracle(g *Graph, args Args) ([]Values, error) {
	source, err := args.start(g)
	if err != nil {
		return nil, err
	}
	depth := make([]int64, g.N())
	for v := range depth {
		depth[v] = Unreached
	}
	depth[source] = 0
	for queue := []int{source}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		for _, v := range g.Out.Of(u) {
			if depth[v] == Unreached {
				depth[v] = depth[u] + 1
				queue = append(queue, int(v))
			}
		}
	}
	return intResult("depth", Int, depth), nil
}

// verifyBFS checks that only the source has depth 0, that no edge leads more than one
// level down, and that every other reached vertex has a neighbor one level up.
func verifyBFS(g *Graph, args Args, result []Values) error {
	column, err := sole(g, result, Int)
	if err != nil {
		return err
	}
	source, err := args.start(g)
	if err != nil {
		return err
	}
	depth := column.Ints
	for v := range depth {
		if (depth[v] == 0) != (v == source) || depth[v] < 0 {
			return wrongAt(g, v, "depth %d, and the source is %d", depth[v], g.IDs[source])
		}
		parent := v == source || depth[v] == Unreached
		for _, u := range g.In.Of(v) {
			if depth[u] != Unreached && depth[v] > depth[u]+1 {
				return wrongAt(g, v, "depth %d, but an edge comes from vertex %d at depth %d", depth[v], g.IDs[u], depth[u])
			}
			parent = parent || (depth[u] != Unreached && depth[u]+1 == depth[v])
		}
		if !parent {
			return wrongAt(g, v, "depth %d, but no edge comes from depth %d", depth[v], depth[v]-1)
		}
	}
	return nil
}
