package algorithms

import "strings"

// Weighting is what an edge makes of what its sender has: it adds a weight, or multiplies by it.
type Weighting struct {
	Property string  // of the edge, with its weight
	Same     float64 // without a property: the weight of every edge
	Times    bool
}

// Weighting is that of p, which is checked, where all that it sends is its first column with a weight.
func (p *Program) Weighting() (w Weighting, ok bool) {
	checked := p.Process.Checked
	call := checked.GetExpr().GetCallExpr()
	name, args := call.GetFunction(), call.GetArgs()
	if name != "_+_" && name != "_*_" {
		return Weighting{}, false
	}
	w.Times = name == "_*_"
	held, weight := args[0], args[1]
	first := "src." + p.State[0].Name
	if variable(checked, held) != first {
		held, weight = weight, held
	}
	if variable(checked, held) != first {
		return Weighting{}, false
	}
	if w.Property, ok = strings.CutPrefix(variable(checked, weight), "edge."); ok {
		return w, true
	}
	same, known := constant(checked, weight)
	return Weighting{Same: same.Float, Times: w.Times}, known && same.Type == Float
}

// Along is what an edge with this weight makes of a value.
func (w Weighting) Along(value, weight float64) float64 {
	if w.Times {
		return value * weight
	}
	return value + weight
}

// Neutral is the weight that changes no value.
func (w Weighting) Neutral() float64 {
	if w.Times {
		return 1
	}
	return 0
}

// Gains tells whether a weight makes a value better, of which the least or the largest counts.
func (w Weighting) Gains(weight float64, largest bool) bool {
	if largest {
		return weight > w.Neutral()
	}
	return weight < w.Neutral()
}

// Odd tells whether a weight is one with which nothing can be told of cycles: it multiplies by 0, which ends all gain,
// or by less, which turns the order of values round, or is no number.
func (w Weighting) Odd(weight float64) bool { return weight != weight || w.Times && weight <= 0 }
