package algorithms

import "strings"

// Weighting is what an edge makes of what its sender has: it adds a property of its own, or multiplies by it.
type Weighting struct {
	Property string
	Times    bool
}

// Weighting is that of p, which is checked, where all that it sends is its first column with an edge's property.
func (p *Program) Weighting() (w Weighting, ok bool) {
	call := p.Process.Checked.GetExpr().GetCallExpr()
	name, args := call.GetFunction(), call.GetArgs()
	if name != "_+_" && name != "_*_" {
		return Weighting{}, false
	}
	held, weight := variable(p.Process.Checked, args[0]), variable(p.Process.Checked, args[1])
	if strings.HasPrefix(held, "edge.") {
		held, weight = weight, held
	}
	property, ok := strings.CutPrefix(weight, "edge.")
	return Weighting{property, name == "_*_"}, ok && held == "src."+p.State[0].Name
}
