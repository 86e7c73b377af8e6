package vector

import (
	"fmt"

	"github.com/penstock-db/penstock/algorithms"
)

// Width is the number of values that a register holds: large enough to forget the cost
// of a call, small enough that an expression's registers stay in the first two caches.
const Width = 1024

// Column is a run of values of one type; the slice of its type is set.
type Column struct {
	Floats []float64
	Ints   []int64 // Int and VertexID
	Bools  []bool
}

// Columns are columns by name.
type Columns map[string]Column

// View is values as a Column, where they lie.
func View(v algorithms.Values) Column { return Column{v.Floats, v.Ints, v.Bools} }

// Views are values as Columns, by name.
func Views(named map[string]algorithms.Values) Columns {
	views := make(Columns, len(named))
	for name, values := range named {
		views[name] = View(values)
	}
	return views
}

type value interface{ float64 | int64 | bool }

type number interface{ float64 | int64 }

// Make is a column of n zeros.
func Make(t algorithms.Type, n int) Column {
	switch t {
	case algorithms.Float:
		return Column{Floats: make([]float64, n)}
	case algorithms.Bool:
		return Column{Bools: make([]bool, n)}
	default:
		return Column{Ints: make([]int64, n)}
	}
}

// Slice is the part [from, to) of c.
func (c Column) Slice(from, to int) Column {
	switch {
	case c.Floats != nil:
		return Column{Floats: c.Floats[from:to]}
	case c.Ints != nil:
		return Column{Ints: c.Ints[from:to]}
	case c.Bools != nil:
		return Column{Bools: c.Bools[from:to]}
	}
	return c
}

// Gather sets c[i] to from[indices[i]].
func (c Column) Gather(from Column, indices []uint32) {
	switch {
	case from.Floats != nil:
		gather(c.Floats, from.Floats, indices)
	case from.Ints != nil:
		gather(c.Ints, from.Ints, indices)
	case from.Bools != nil:
		gather(c.Bools, from.Bools, indices)
	}
}

// Copy copies from into c, as copy does.
func (c Column) Copy(from Column) {
	copy(c.Floats, from.Floats)
	copy(c.Ints, from.Ints)
	copy(c.Bools, from.Bools)
}

// Fill sets every value of c to s.
func (c Column) Fill(s Scalar) {
	fill(c.Floats, s.Float)
	fill(c.Ints, s.Int)
	fill(c.Bools, s.Bool)
}

// Scalar is one value of a type.
type Scalar struct {
	Type  algorithms.Type
	Float float64
	Int   int64
	Bool  bool
}

// Identity is the x of type t with which r(x, y) is y for each y.
func Identity(r algorithms.Reduce, t algorithms.Type) Scalar {
	return Scalar{Type: t, Float: r.FloatIdentity(), Int: r.IntIdentity(), Bool: r.BoolIdentity()}
}

// Broadcast is a column of n times s.
func Broadcast(s Scalar, n int) Column {
	c := Make(s.Type, n)
	c.Fill(s)
	return c
}

// first is the scalar that c begins with.
func (c Column) first(t algorithms.Type) Scalar {
	switch t {
	case algorithms.Float:
		return Scalar{Type: t, Float: c.Floats[0]}
	case algorithms.Bool:
		return Scalar{Type: t, Bool: c.Bools[0]}
	default:
		return Scalar{Type: t, Int: c.Ints[0]}
	}
}

// Of is the slice of c that holds values of type T.
func Of[T value](c *Column) *[]T {
	for _, field := range []any{&c.Floats, &c.Ints, &c.Bools} {
		if s, ok := field.(*[]T); ok {
			return s
		}
	}
	panic(fmt.Sprintf("vector: no column of %T", *new(T)))
}
