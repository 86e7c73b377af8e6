package param

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
)

// Source is a vertex to start from.
var Source = algorithms.Param{Name: "source", Type: algorithms.ParamVertex, Doc: "the vertex to start from"}

// Weight is the edge property weight where a graph has it, else what is named.
func Weight(doc string) algorithms.Param {
	return algorithms.Param{Name: "weight", Type: algorithms.ParamProperty, Default: "weight", Optional: true,
		Doc: doc + "; if the graph has no property weight and none is named, every edge counts 1"}
}

// Tolerance ends a program by the change in an iteration, in a norm.
func Tolerance(norm string) algorithms.Param {
	return algorithms.Param{Name: "tolerance", Type: algorithms.ParamFloat, Default: "1e-6", Max: math.MaxFloat64,
		Doc: "stop when the " + norm + " change in an iteration is at most this; ignored when iterations is given"}
}

// ExactIterations are done instead of waiting for a change within the tolerance.
func ExactIterations() algorithms.Param {
	return algorithms.Param{Name: "iterations", Type: algorithms.ParamInt, Optional: true, Max: math.MaxInt32,
		Doc: "do exactly this many iterations; without it, at most 100"}
}

// The values of the parameter precision.
const inDouble, InSingle = "double", "single"

// Precision is that of messages.
func Precision() algorithms.Param {
	return algorithms.Param{Name: "precision", Type: algorithms.ParamChoice, Choices: []string{inDouble, InSingle},
		Optional: true,
		Doc:      "of messages, double or single: single rounds each once, by at most 6e-8 of it, and a device reads half as much; state and sums stay double; without it, double"}
}

// Bound is how many edges walks or paths have, at most.
func Bound(what string) algorithms.Param {
	return algorithms.Param{Name: "iterations", Type: algorithms.ParamInt, Optional: true, Min: 1, Max: math.MaxInt32,
		Doc: "consider " + what + " of at most this many edges; without it, all"}
}

// DefaultIterations bounds programs that converge only in the limit.
const DefaultIterations = 100

// OwnWeight is a weight that counts only when it is named.
func OwnWeight(doc string) algorithms.Param {
	return algorithms.Param{Name: "weight", Type: algorithms.ParamProperty, Optional: true,
		Doc: doc + ": a numeric edge property; without it, every edge counts 1"}
}

// Orientation is which way edges count.
func Orientation(doc string) algorithms.Param {
	return algorithms.Param{Name: "orientation", Type: algorithms.ParamChoice,
		Choices: []string{Natural, Reverse, Undirected}, Default: Natural,
		Doc: doc}
}

// The values of the parameter orientation.
const Natural, Reverse, Undirected = "natural", "reverse", "undirected"
