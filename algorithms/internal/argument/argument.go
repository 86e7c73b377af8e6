package argument

import (
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/internal/param"
)

// Wholes is the vertex property of whole numbers that the argument name names.
func Wholes(g *algorithms.Graph, args algorithms.Args, name string) ([]int64, error) {
	values, known := g.Properties[args.Strings[name]]
	if !known || len(values.Ints) != g.N() {
		return nil, fmt.Errorf("the graph has no property %q of whole numbers", args.Strings[name])
	}
	return values.Ints, nil
}

// Iterate applies the parameters iterations and tolerance to p.
func Iterate(args algorithms.Args, p *algorithms.Program) *algorithms.Program {
	p.MaxIterations, p.Tolerance = param.DefaultIterations, args.Floats["tolerance"]
	if k, given := args.Ints["iterations"]; given {
		p.MaxIterations, p.Exactly = int(k), true
	}
	return p
}

// Bounded makes p consider walks of at most `iterations` edges, when that is given. Such
// a program is synchronous: an iteration is one edge of every walk.
func Bounded(args algorithms.Args, p *algorithms.Program) *algorithms.Program {
	if k, given := args.Ints["iterations"]; given {
		p.MaxIterations, p.Order, p.Diverged, p.Finite = int(k), algorithms.Synchronous, "", true
	}
	return p
}

// Rounded is the CEL expression for a message in the precision that is wanted.
func Rounded(args algorithms.Args, message string) string {
	if args.Strings["precision"] == param.InSingle {
		return "single(" + message + ")"
	}
	return message
}

// Round is what Rounded does to a number.
func Round(args algorithms.Args, message float64) float64 {
	if args.Strings["precision"] == param.InSingle {
		return float64(float32(message))
	}
	return message
}

// Source is the vertex that the parameter source names, as expressions know it.
func Source(args algorithms.Args) algorithms.Constant {
	return algorithms.Constant{Name: "source", Type: algorithms.VertexID, Int: args.Ints["source"]}
}

// Float is the value of a ParamFloat, as expressions know it.
func Float(args algorithms.Args, name string) algorithms.Constant {
	return algorithms.Constant{Name: name, Type: algorithms.Float, Float: args.Floats[name]}
}

// Weight is the CEL expression for the weight of an edge.
func Weight(args algorithms.Args) string {
	if name := args.Strings["weight"]; name != "" {
		return algorithms.EdgeProperty(name)
	}
	return "1.0"
}

// Gaining is what it means that values get better for ever, in a program whose message is what the source has, and a
// weight added to it or multiplied with it. Without weights no cycle makes a value better: there is nothing to be said.
func Gaining(args algorithms.Args, cycle string) string {
	if args.Strings["weight"] == "" {
		return ""
	}
	return cycle
}

// Start is the position of the vertex that the parameter source names.
func Start(g *algorithms.Graph, args algorithms.Args) (int, error) {
	if s := g.Vertex(args.Ints["source"]); s >= 0 {
		return s, nil
	}
	return 0, fmt.Errorf("the graph has no vertex with id %d", args.Ints["source"])
}

// NoEdgeColumns is for procedures that read no edge property.
func NoEdgeColumns(algorithms.Args) []string { return nil }

// EdgeColumns is the edge property that the parameter weight names, if any.
func EdgeColumns(args algorithms.Args) []string {
	if name := args.Strings["weight"]; name != "" {
		return []string{name}
	}
	return nil
}

// Vectors are those of vertex properties, of each vertex: of several they stand one behind the other.
func Vectors(g *algorithms.Graph, properties ...string) ([][]float32, error) {
	in := algorithms.VectorInput{Properties: properties}
	for _, property := range properties {
		in.Width += max(1, g.Properties[property].Per())
	}
	rows, err := g.VectorRows(in)
	return slices.Collect(slices.Chunk(rows, in.Width)), err
}
