package algorithms

import (
	"fmt"
	"slices"
	"strings"
)

// VectorInput is a vertex property that a procedure is given as rows of float32, one of each vertex.
type VectorInput struct {
	Rows            // InputColumn of the parameter; given
	Property string // as the graph calls it
}

// VectorInputs are the properties that arguments name for parameters of type ParamVectors, in the order of the
// parameters. A parameter that is optional and not given has none.
func (a *Algorithm) VectorInputs(args Args) (all []VectorInput) {
	for _, p := range a.Params {
		if name := args.Strings[p.Name]; p.Type == ParamVectors && name != "" {
			rows := Rows{Name: InputColumn(p.Name), Width: int(args.Ints[p.Name]), Given: true}
			all = append(all, VectorInput{rows, name})
		}
	}
	return all
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

// vectors are those that the argument names, of each vertex.
func (g *Graph) vectors(args Args, param string) ([][]float32, error) {
	values, known := g.Properties[args.Strings[param]]
	if !known || values.Vertices() != g.N() {
		return nil, fmt.Errorf("the graph has no vectors %q", args.Strings[param])
	}
	return slices.Collect(slices.Chunk(values.Vectors32(), values.Per())), nil
}
