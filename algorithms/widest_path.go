package algorithms

// WidestPath is the largest capacity that one path from the source offers, the capacity
// of a path being its narrowest edge:
//
//	width(source) = +Inf,  width(v) = max_{u→v} min(width(u), weight(u,v))
//
// and -Inf where no path leads. (min,max) in the table of vertex programs; Pollack, "The
// maximum capacity through a network", 1960.
var widestPath = &Algorithm{
	Name:    "widest-path",
	Aliases: []string{"sswp"},
	Summary: "single-source widest paths: the best bottleneck",
	Source:  "Pollack 1960",
	Params:  []Param{sourceParam, weightParam("the width of an edge")},
	Result:  []Column{{Name: "width", Type: Float}},
	Program: widestPathProgram,
	Oracle:  widestRule.dijkstra,
	Verify:  widestRule.verify,
	Figures: widestRule.figures,
}

func widestPathProgram(args Args) (*Program, error) {
	return &Program{
		Name:      "widest-path",
		State:     []State{{Name: "width", Type: Float, Init: Expr{Source: "id == source ? inf : -inf"}}},
		Process:   Expr{Source: "min(src.width, " + args.weight() + ")"},
		Reduce:    Max,
		Edges:     Forward,
		Activity:  Changed,
		Order:     Monotone,
		Constants: []Constant{args.source()},
	}, nil
}

var widestRule = pathRule{
	name:      "width",
	start:     Min.FloatIdentity(),
	unreached: Max.FloatIdentity(),
	extend:    func(width, weight float64) float64 { return min(width, weight) },
	better:    func(a, b float64) bool { return a > b },
}
