package paths

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// WidestPath is the largest capacity that one path from the source offers, the capacity
// of a path being its narrowest edge:
//
//	width(source) = +Inf,  width(v) = max_{u→v} min(width(u), weight(u,v))
//
// and -Inf where no path leads. (min,max) in the table of vertex programs; Pollack, "The
// maximum capacity through a network", 1960.
var WidestPath = &algorithms.Algorithm{
	Name:    "widest-path",
	Aliases: []string{"sswp"},
	Summary: "single-source widest paths: the best bottleneck",
	Source:  "Pollack 1960",
	Params:  []algorithms.Param{param.Source, param.Weight("the width of an edge")},
	Result:  []algorithms.Column{{Name: "width", Type: algorithms.Float}},
	Program: widestPathProgram,
	Oracle:  widestRule.dijkstra,
	Verify:  widestRule.verify,
	Figures: widestRule.figures,
}

func widestPathProgram(args algorithms.Args) (*algorithms.Program, error) {
	return &algorithms.Program{
		Name: "widest-path",
		State: []algorithms.State{{Name: "width", Type: algorithms.Float,
			Init: algorithms.Expr{Source: "id == source ? inf : -inf"}}},
		Process:   algorithms.Expr{Source: "min(src.width, " + argument.Weight(args) + ")"},
		Reduce:    algorithms.Max,
		Edges:     algorithms.Forward,
		Activity:  algorithms.Changed,
		Order:     algorithms.Monotone,
		Constants: []algorithms.Constant{argument.Source(args)},
	}, nil
}

var widestRule = pathRule{
	name:      "width",
	start:     algorithms.Min.FloatIdentity(),
	unreached: algorithms.Max.FloatIdentity(),
	extend:    func(width, weight float64) float64 { return min(width, weight) },
	better:    func(a, b float64) bool { return a > b },
}
