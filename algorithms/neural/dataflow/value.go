package dataflow

import "fmt"

// Place says of what a value has rows.
type Place uint8

const (
	Parameters Place = iota // rows of its own: what is learned, and numbers
	Vertices                // a row for each vertex
	Edges                   // a row for each edge; only inside a Gather, an Outer
)

var placeNames = [...]string{Parameters: "parameter", Vertices: "vertex", Edges: "edge"}

func (p Place) String() string { return placeNames[p] }

// End is one of the two vertices of an edge.
type End uint8

const (
	AtTarget End = iota // messages go along the edges
	AtSource            // and against them, as gradients do
)

var endNames = [...]string{AtTarget: "target", AtSource: "source"}

func (e End) String() string { return endNames[e] }

// Value is a matrix in a dataflow, and how it is made. It never changes. Values of one Builder that are made the same
// way are the same Value.
type Value struct {
	ID     int // its place among the values of its Builder; its arguments have smaller ones
	Op     Op
	Place  Place
	Rows   int // of a parameter; 0 elsewhere
	Width  int
	Args   []*Value
	Name   string  // of an Input, a Parameter or a Property
	Number float64 // a Number's value, a slope, a dropout's rate, where a Part begins
	Draw   int     // which dropout of the model a Mask belongs to
	End    End     // of a Gather
	Varies bool    // of an Input: the rows are others from one time to the next, as those that are learned
}

// String is the value as an equation: "v7 = gather_sum(e6) [vertex × 16]".
func (v *Value) String() string {
	text := fmt.Sprintf("v%d = %v", v.ID, v.Op)
	if v.Name != "" {
		text += " " + v.Name
	}
	if v.Op == Number || v.Number != 0 {
		text += fmt.Sprintf(" %g", v.Number)
	}
	if v.Varies {
		text += " that varies"
	}
	if v.Op == GatherSum || v.Op == GatherMax {
		text += " at " + v.End.String()
	}
	for i, a := range v.Args {
		separator := ", "
		if i == 0 {
			separator = " "
		}
		text += fmt.Sprintf("%sv%d", separator, a.ID)
	}
	if v.Place == Parameters {
		return fmt.Sprintf("%s [%d × %d]", text, v.Rows, v.Width)
	}
	return fmt.Sprintf("%s [%v × %d]", text, v.Place, v.Width)
}
