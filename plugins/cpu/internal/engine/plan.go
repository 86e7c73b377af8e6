package engine

import (
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/kit"
)

// Plan is the answer to Compile.
func (p *Program) Plan(graph plugins.Graph, layout plugins.Layout) plugins.Plan {
	return plugins.Plan{
		Directions: plugins.Directions(p.Code.Spec.Edges, p.Code.Pulls, graph.Directed),
		Fixed:      kit.LayoutBytes(layout) + p.scratch(),
		Kernel:     p.kernelName(),
		ActiveRows: !p.Code.Pulls, // what pulls asks every vertex that may send
		Shares:     p.Frontier.Share != nil,
		Nearest:    p.nearest != nil,
		Intervals:  p.Mode.Intervals,
		Joins:      p.Frontier.Share != nil && p.stepper != nil,
	}
}

// kernelName tells push or pull, types, reduction and form: "pull f64 sum, fused".
func (p *Program) kernelName() string {
	if p.stepper != nil {
		return p.stepper.Name()
	}
	if p.nearest != nil {
		return p.nearest.Name()
	}
	if p.sums != nil {
		return p.sums.Name()
	}
	way := "push "
	if p.Code.Pulls {
		way = "pull "
	}
	name := way + kernelTypes[p.Code.AccType] + " " + p.Code.Spec.Reduce.String() + ", " + p.edges.Name()
	if p.sorted != nil {
		name = "topological order; else " + name
	}
	if p.ownSums != nil {
		name = "topological order; from elsewhere " + name
	}
	if p.bottomUp != nil {
		name += " or " + p.bottomUp.Name()
	}
	if len(p.solvers) == 0 {
		return name
	}
	var names []string
	for _, s := range p.solvers {
		names = append(names, s.Name())
	}
	return strings.Join(names, "; else ") + "; streamed: " + name
}

var kernelTypes = map[algorithms.Type]string{algorithms.Float: "f64", algorithms.Int: "i64", algorithms.Bool: "bool"}
