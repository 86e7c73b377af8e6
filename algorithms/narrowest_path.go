package algorithms

// NarrowestPath is the smallest width that suffices to get from the source to a vertex:
// the path whose widest edge is narrowest.
//
//	width(source) = -Inf,  width(v) = min_{u→v} max(width(u), weight(u,v))
//
// and +Inf where no path leads. It is the mirror image of WidestPath, (max,min). The
// CPU+NPU paper's table prints (min,min) for it, which would be the smallest weight met
// on any walk, and no path problem; this is the definition it must have meant. Also
// known as the minimax path, Hu, "The maximum capacity route problem", 1961.
var narrowestPath = &Algorithm{
	Name:    "narrowest-path",
	Aliases: []string{"ssnp"},
	Summary: "single-source narrowest paths: the smallest widest edge",
	Source:  "Hu 1961",
	Params:  []Param{sourceParam, weightParam("the width of an edge")},
	Result:  []Column{{Name: "width", Type: Float}},
	Program: narrowestPathProgram,
	Oracle:  narrowestRule.dijkstra,
	Verify:  narrowestRule.verify,
	Figures: narrowestRule.figures,
}

func narrowestPathProgram(args Args) (*Program, error) {
	return &Program{
		Name:      "narrowest-path",
		State:     []State{{Name: "width", Type: Float, Init: Expr{Source: "id == source ? -inf : inf"}}},
		Process:   Expr{Source: "max(src.width, " + args.weight() + ")"},
		Reduce:    Min,
		Edges:     Forward,
		Activity:  Changed,
		Order:     Monotone,
		Constants: []Constant{args.source()},
	}, nil
}

var narrowestRule = pathRule{
	name:      "width",
	start:     Max.FloatIdentity(),
	unreached: Min.FloatIdentity(),
	extend:    func(width, weight float64) float64 { return max(width, weight) },
	better:    func(a, b float64) bool { return a < b },
}
