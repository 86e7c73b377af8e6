package paths

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/argument"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// NarrowestPath is the smallest width that suffices to get from the source to a vertex:
// the path whose widest edge is narrowest.
//
//	width(source) = -Inf,  width(v) = min_{u→v} max(width(u), weight(u,v))
//
// and +Inf where no path leads. It is the mirror image of WidestPath, (max,min). The
// CPU+NPU paper's table prints (min,min) for it, which would be the smallest weight met
// on any walk, and no path problem; this is the definition it must have meant. Also
// known as the minimax path, Hu, "The maximum capacity route problem", 1961.
var NarrowestPath = &algorithms.Algorithm{
	Name:    "narrowest-path",
	Aliases: []string{"ssnp"},
	Summary: "single-source narrowest paths: the smallest widest edge",
	Source:  "Hu 1961",
	Params:  []algorithms.Param{param.Source, param.Weight("the width of an edge")},
	Result:  []algorithms.Column{{Name: "width", Type: algorithms.Float}},
	Program: narrowestPathProgram,
	Oracle:  narrowestRule.dijkstra,
	Verify:  narrowestRule.verify,
	Figures: narrowestRule.figures,
}

func narrowestPathProgram(args algorithms.Args) (*algorithms.Program, error) {
	return &algorithms.Program{
		Name: "narrowest-path",
		State: []algorithms.State{{Name: "width", Type: algorithms.Float,
			Init: algorithms.Expr{Source: "id == source ? -inf : inf"}}},
		Process:   algorithms.Expr{Source: "max(src.width, " + argument.Weight(args) + ")"},
		Reduce:    algorithms.Min,
		Edges:     algorithms.Forward,
		Activity:  algorithms.Changed,
		Order:     algorithms.Monotone,
		Constants: []algorithms.Constant{argument.Source(args)},
	}, nil
}

var narrowestRule = pathRule{
	name:      "width",
	start:     algorithms.Max.FloatIdentity(),
	unreached: algorithms.Min.FloatIdentity(),
	extend:    func(width, weight float64) float64 { return max(width, weight) },
	better:    func(a, b float64) bool { return a < b },
}
