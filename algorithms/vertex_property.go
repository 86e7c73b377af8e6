package algorithms

import (
	"fmt"
	"strconv"
	"strings"
)

// VertexInput is a vertex property that a procedure is given as a column: what an argument names.
type VertexInput struct {
	Column          // InputColumn of the parameter, Int or Float
	Property string // as the graph calls it
	Missing  string // what a vertex without a value counts as; empty: each needs one
	Sums     string // what edge property it is the sums of (Property.Sums); empty: it is a property of the graph
}

// InputColumn is what the column of a ParamVertexProperty is called in the layout of a task. No result is called so.
func InputColumn(param string) string { return "vertex." + param }

// VertexInputs are the vertex properties that arguments name, in the order of the parameters. A parameter that is
// optional and not given has none.
func (a *Algorithm) VertexInputs(args Args) (all []VertexInput) {
	for _, p := range a.Params {
		if name := args.Strings[p.Name]; p.Type == ParamVertexProperty && name != "" {
			all = append(all, VertexInput{Column: Column{Name: InputColumn(p.Name), Type: p.Values}, Property: name,
				Missing: p.Missing})
		}
	}
	return all
}

// noVertexProperty is a complaint that there is no such property, or one whose values are not what p reads; or "".
// Whole numbers are read as floats where these are wanted.
func (p Param) noVertexProperty(name string, known []Column) string {
	var names []string
	for _, c := range known {
		if c.Name == name && (c.Type == p.Values || p.Values == Float) {
			return ""
		}
		if c.Name == name {
			return "its values are floats; expected a property of whole numbers"
		}
		names = append(names, c.Name)
	}
	if len(names) == 0 {
		return "the vertices of this graph have no numeric properties"
	}
	return fmt.Sprintf("the graph has no such numeric vertex property, only %s%s", strings.Join(names, ", "),
		didYouMean(name, names))
}

// Default is the value of a vertex that has none: one of Ints or Floats, as the column's type has it. It fails where
// Missing is no such number.
func (in VertexInput) Default() (whole int64, float float64, err error) {
	if in.Type == Int {
		whole, err = strconv.ParseInt(in.Missing, 10, 64)
		return whole, 0, err
	}
	float, err = strconv.ParseFloat(in.Missing, 64)
	if err == nil && float-float != 0 {
		err = fmt.Errorf("%q is not finite", in.Missing)
	}
	return 0, float, err
}
