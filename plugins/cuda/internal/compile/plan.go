package compile

import "github.com/penstock-db/penstock/plugins"

// Plan is the answer to Compile.
func (p *Program) Plan(graph plugins.Graph) plugins.Plan {
	return plugins.Plan{
		Directions: plugins.Directions(p.Spec.Edges, p.Pulls(), graph.Directed),
		ActiveRows: !p.Pulls(),
		Settles:    p.Settling,
		Restores:   p.Restorable,
		Shares:     p.shares,
		Parts:      p.part,
		Intervals:  p.Intervals,
		Fixed:      p.Layout.Bytes,
		Kernel:     p.kernelName(),
	}
}

// kernelName tells how: "cuda breadth first; streamed: push_int_plus".
func (p *Program) kernelName() string {
	if p.Solver != nil {
		return "cuda " + p.Solver.Name() + "; streamed: " + p.Template.Kernel()
	}
	return "cuda " + p.Template.Kernel()
}
