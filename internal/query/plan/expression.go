package plan

import "github.com/penstock-db/penstock/internal/query/ast"

// Slot is a variable: where rows hold it.
type Slot struct {
	ast.Variable
	Index int
}

// Local is an expression with variables of its own, a *ast.ListComprehension, *ast.Quantifier or
// *ast.Reduce, and their slots (of Reduce: the accumulator's, the variable's).
type Local struct {
	ast.Expression
	Slots []int
}

// Nested is an expression that has a plan of its own, which is run for a row.
type Nested struct {
	ast.Expression // as written
	Use            Use
	Root           Operator
	Result         ast.Expression // of ToList and ToFirst: the value of each row
	Weight         int            // of ToCount: the slot that says for how many rows a row stands; < 0: one
}

// Use is what a nested plan's rows are for.
type Use uint8

const (
	ToTest  Use = iota // whether there is a row
	ToCount            // how many there are
	ToList             // a value of each
	ToFirst            // the value of the first, or null
)

// HasProperties is whether a node or relationship has all entries of a map, as {…} in a pattern
// asks, where the map is a parameter.
type HasProperties struct {
	ast.Expression // the map
	Subject        *Slot
}
