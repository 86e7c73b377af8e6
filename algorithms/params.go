package algorithms

import (
	"fmt"
	"math"
	"strings"
)

// Parameters that several algorithms share.
var sourceParam = Param{Name: "source", Type: ParamVertex, Doc: "the vertex to start from"}

func weightParam(doc string) Param {
	return Param{Name: "weight", Type: ParamProperty, Default: "weight", Optional: true,
		Doc: doc + "; if the graph has no property weight and none is named, every edge counts 1"}
}

func toleranceParam(norm string) Param {
	return Param{Name: "tolerance", Type: ParamFloat, Default: "1e-6", Max: math.MaxFloat64,
		Doc: "stop when the " + norm + " change in an iteration is at most this; ignored when iterations is given"}
}

func exactIterationsParam() Param {
	return Param{Name: "iterations", Type: ParamInt, Optional: true, Max: math.MaxInt32,
		Doc: "do exactly this many iterations; without it, at most 100"}
}

// The values of the parameter precision.
const inDouble, inSingle = "double", "single"

func precisionParam() Param {
	return Param{Name: "precision", Type: ParamChoice, Choices: []string{inDouble, inSingle}, Optional: true,
		Doc: "of messages, double or single: single rounds each once, by at most 6e-8 of it, and a device reads half as much; state and sums stay double; without it, double"}
}

func boundParam(what string) Param {
	return Param{Name: "iterations", Type: ParamInt, Optional: true, Min: 1, Max: math.MaxInt32,
		Doc: "consider " + what + " of at most this many edges; without it, all"}
}

// defaultIterations bounds programs that converge only in the limit.
const defaultIterations = 100

// iterate applies the parameters iterations and tolerance to p.
func (a Args) iterate(p *Program) *Program {
	p.MaxIterations, p.Tolerance = defaultIterations, a.Floats["tolerance"]
	if k, given := a.Ints["iterations"]; given {
		p.MaxIterations, p.Exactly = int(k), true
	}
	return p
}

// bounded makes p consider walks of at most `iterations` edges, when that is given. Such
// a program is synchronous: an iteration is one edge of every walk.
func (a Args) bounded(p *Program) *Program {
	if k, given := a.Ints["iterations"]; given {
		p.MaxIterations, p.Order, p.Diverged, p.Finite = int(k), Synchronous, "", true
	}
	return p
}

// rounded is the CEL expression for a message in the precision that is wanted.
func (a Args) rounded(message string) string {
	if a.Strings["precision"] == inSingle {
		return "single(" + message + ")"
	}
	return message
}

// round is what rounded does to a number.
func (a Args) round(message float64) float64 {
	if a.Strings["precision"] == inSingle {
		return single(message)
	}
	return message
}

func (a Args) source() Constant {
	return Constant{Name: "source", Type: VertexID, Int: a.Ints["source"]}
}

func (a Args) float(name string) Constant {
	return Constant{Name: name, Type: Float, Float: a.Floats[name]}
}

// weight is the CEL expression for the weight of an edge.
func (a Args) weight() string {
	if name := a.Strings["weight"]; name != "" {
		return edgeProperty(name)
	}
	return "1.0"
}

// gaining is what it means that values get better for ever, in a program whose message is what the source has, and a
// weight added to it or multiplied with it. Without weights no cycle makes a value better: there is nothing to be said.
func (a Args) gaining(cycle string) string {
	if a.Strings["weight"] == "" {
		return ""
	}
	return cycle
}

// edgeProperty is the CEL expression for the edge property name.
func edgeProperty(name string) string {
	for _, part := range strings.Split(name, ".") {
		if !isName(part) {
			return "edge.`" + name + "`"
		}
	}
	return "edge." + name
}

// start is the position of the vertex that the parameter source names.
func (a Args) start(g *Graph) (int, error) {
	if s := g.vertex(a.Ints["source"]); s >= 0 {
		return s, nil
	}
	return 0, fmt.Errorf("the graph has no vertex with id %d", a.Ints["source"])
}
