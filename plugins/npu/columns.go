package npu

import (
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
)

// columns are the vertex columns of a Layout, in place in the arena, by name.
type columns map[string]vector.Column

// openColumns finds the columns of layout, each n values long.
func openColumns(a *arena.Arena, layout plugins.Layout, n int) (columns, error) {
	found := columns{}
	for _, c := range layout.Columns {
		column, err := openColumn(a, c.Type, c.Range, n)
		if err != nil {
			return nil, plugins.Errorf(plugins.KindInvalid, "column %q: %w", c.Name, err)
		}
		found[c.Name] = column
	}
	return found, nil
}

// openColumn is n values of a type in the arena.
func openColumn(a *arena.Arena, t algorithms.Type, at arena.Range, n int) (vector.Column, error) {
	if need := uint64(n) * width(t); at.Length < need {
		return vector.Column{}, plugins.Errorf(plugins.KindInvalid, "%d bytes for %d vertices; expected %d", at.Length, n, need)
	}
	switch t {
	case algorithms.Float:
		values, err := a.Float64s(at)
		return vector.Column{Floats: head(values, n)}, err
	case algorithms.Bool:
		values, err := a.Bytes(at)
		return vector.Column{Bools: asBools(head(values, n))}, err
	default:
		values, err := a.Int64s(at)
		return vector.Column{Ints: head(values, n)}, err
	}
}

// openBitmap finds a set of vertices, a word for 64 of them.
func openBitmap(a *arena.Arena, at arena.Range, n int) ([]uint64, error) {
	words, err := a.Uint64s(at)
	if err != nil {
		return nil, plugins.Errorf(plugins.KindInvalid, "bitmap: %w", err)
	}
	if len(words) < wordCount(n) {
		return nil, plugins.Errorf(plugins.KindInvalid, "bitmap: %d words for %d vertices; expected %d", len(words), n, wordCount(n))
	}
	return words[:wordCount(n)], nil
}

// layoutBytes is what the ranges of a layout take of the budget.
func layoutBytes(layout plugins.Layout) uint64 {
	bytes := layout.Active.Length
	for _, c := range layout.Columns {
		bytes += c.Range.Length
	}
	return bytes
}

// holds tells whether a column is of a type.
func holds(c vector.Column, t algorithms.Type) bool {
	switch t {
	case algorithms.Float:
		return c.Floats != nil
	case algorithms.Bool:
		return c.Bools != nil
	default:
		return c.Ints != nil
	}
}

// identity is what Reduce leaves every value of type t alone with.
func identity(r algorithms.Reduce, t algorithms.Type) vector.Scalar {
	return vector.Scalar{Type: t, Float: r.FloatIdentity(), Int: r.IntIdentity(), Bool: r.BoolIdentity()}
}

// asBools reads bytes as Bools. Only devices write them, in Init, as 0 and 1, and the
// host, before Restore, as they were.
func asBools(b []byte) []bool {
	return unsafe.Slice((*bool)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// head is the first n values, or none of a slice that an error left short.
func head[T any](s []T, n int) []T { return s[:min(n, len(s))] }

// width is the bytes of a value of type t in a column.
func width(t algorithms.Type) uint64 {
	if t == algorithms.Bool {
		return 1
	}
	return 8
}
