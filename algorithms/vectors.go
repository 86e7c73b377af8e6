package algorithms

import (
	"fmt"
	"slices"
	"strings"
)

// VectorInput is a vertex property that a procedure is given as rows of float32, one of each vertex; or several, whose
// numbers stand one behind the other.
type VectorInput struct {
	Rows                // InputColumn of the parameter; given
	Properties []string // as the graph calls them
}

// VectorInputs are the properties that arguments name for parameters of type ParamVectors, in the order of the
// parameters. A parameter that is optional and not given has none.
func (a *Algorithm) VectorInputs(args Args) (all []VectorInput) {
	for _, p := range a.Params {
		if name := args.Strings[p.Name]; p.Type == ParamVectors && name != "" {
			rows := Rows{Name: InputColumn(p.Name), Width: int(args.Ints[p.Name]), Given: true}
			all = append(all, VectorInput{rows, p.named(name)})
		}
	}
	return all
}

// named are the properties that a ParamVectors names.
func (p Param) named(text string) []string {
	if p.Several {
		return several(text)
	}
	return []string{text}
}

func several(text string) []string { return strings.Split(text, ",") }

// vectors is how many numbers the vectors have that a ParamVectors names, or a complaint.
func (p Param) vectors(text string, g Env) (width int, message string, err error) {
	names := p.named(text)
	for _, name := range names {
		one, message, err := vectorWidth(name, g)
		if message != "" && len(names) > 1 {
			message = name + ": " + message
		}
		if message != "" || err != nil {
			return 0, message, err
		}
		width += one
	}
	if width > MaxWidth {
		return 0, fmt.Sprintf("they have %d numbers together; expected %d at most", width, MaxWidth), nil
	}
	return width, "", nil
}

// vectorWidth is how many numbers the vectors of a property have, or a complaint that there are none.
func vectorWidth(property string, g Env) (width int, message string, err error) {
	switch {
	case len(g.Vectors) == 0:
		return 0, "the vertices of this graph have no properties of numbers, or of lists of numbers", nil
	case !slices.Contains(g.Vectors, property):
		known := slices.Sorted(slices.Values(g.Vectors))
		return 0, fmt.Sprintf("the graph has no such vertex property of numbers, or lists of numbers, only %s%s",
			strings.Join(known, ", "), didYouMean(property, known)), nil
	}
	if width, err = g.VectorWidth(property); err != nil {
		return 0, "it has no vectors", err
	}
	if width < 1 || width > MaxWidth {
		return 0, fmt.Sprintf("its vectors have %d numbers; expected 1 to %d", width, MaxWidth), nil
	}
	return width, "", nil
}

// Vectors are the properties that VectorWidth knows, sorted.
func (g *Graph) Vectors() (names []string) {
	for name := range g.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// VectorWidth is how many numbers a vertex has of a property.
func (g *Graph) VectorWidth(property string) (int, error) {
	values, known := g.Properties[property]
	if !known {
		return 0, fmt.Errorf("the graph has no property %q", property)
	}
	return values.Per(), nil
}

// Vectors32 are the values of a property as rows of float32, one of each vertex.
func (v Values) Vectors32() []float32 {
	numbers := make([]float32, v.Len())
	for i, x := range v.Floats {
		numbers[i] = float32(x)
	}
	for i, x := range v.Ints {
		numbers[i] = float32(float64(x)) // as a host reads them
	}
	return numbers
}

// VectorRows are the rows of an input, one of each vertex.
func (g *Graph) VectorRows(in VectorInput) ([]float32, error) {
	rows, at := make([]float32, g.N()*in.Width), 0
	for _, property := range in.Properties {
		values, known := g.Properties[property]
		if !known || values.Vertices() != g.N() {
			return nil, fmt.Errorf("the graph has no vectors %q", property)
		}
		for i, x := range values.Vectors32() {
			rows[i/values.Per()*in.Width+at+i%values.Per()] = x
		}
		at += values.Per()
	}
	return rows, nil
}
