package algorithms

// Reachability says which vertices a path from the source leads to:
//
//	reached(source) = true,  reached(v) = ∨_{u→v} (reached(u) ∧ true)
//
// (and,or) in the table of vertex programs.
var reachability = &Algorithm{
	Name:    "reachability",
	Aliases: []string{"reach"},
	Summary: "which vertices can be reached from the source",
	Source:  "the CPU+NPU paper's table of vertex programs",
	Params:  []Param{sourceParam},
	Result:  []Column{{Name: "reached", Type: Bool}},
	Program: reachabilityProgram,
	Oracle:  reachabilityOracle,
	Verify:  verifyReachability,
	Figures: func(result []Values) []Figure {
		count := int64(0)
		for _, reached := range result[0].Bools {
			if reached {
				count++
			}
		}
		return []Figure{{"reached", count}}
	},
}

func reachabilityProgram(args Args) (*Program, error) {
	return &Program{
		Name:      "reachability",
		State:     []State{{Name: "reached", Type: Bool, Init: Expr{Source: "id == source"}}},
		Process:   Expr{Source: "src.reached"},
		Reduce:    Or,
		Edges:     Forward,
		Activity:  Changed,
		Order:     Monotone,
		Constants: []Constant{args.source()},
	}, nil
}

// reachabilityOracle is depth-first search.
func reachabilityOracle(g *Graph, args Args) ([]Values, error) {
	source, err := args.start(g)
	if err != nil {
		return nil, err
	}
	result := NewValues(Column{Name: "reached", Type: Bool}, g.N())
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
	return []Values{result}, nil
}

func verifyReachability(g *Graph, args Args, result []Values) error {
	column, err := sole(g, result, Bool)
	if err != nil {
		return err
	}
	source, err := args.start(g)
	if err != nil {
		return err
	}
	return verifyReach(g, source, func(v int) bool { return column.Bools[v] })
}

// verifyReach checks that reached holds for the source, that no edge leads out of it, and
// that all of it can be visited from the source within it.
func verifyReach(g *Graph, source int, reached func(v int) bool) error {
	if !reached(source) {
		return wrongAt(g, source, "the source does not count as reached")
	}
	seen := make([]bool, g.N())
	seen[source] = true
	for stack := []int{source}; len(stack) > 0; {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, v := range g.Out.Of(u) {
			if !reached(int(v)) {
				return wrongAt(g, int(v), "not reached, but an edge comes from vertex %d, which is", g.IDs[u])
			}
			if !seen[v] {
				seen[v] = true
				stack = append(stack, int(v))
			}
		}
	}
	for v := range seen {
		if reached(v) && !seen[v] {
			return wrongAt(g, v, "counts as reached, but no path leads there")
		}
	}
	return nil
}
