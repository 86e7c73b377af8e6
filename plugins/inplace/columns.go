// Package inplace finds the vertex columns and sets of a Layout in the arena, and the chunks there or in files, for
// devices that compute with them where they lie.
package inplace

import (
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/bitmap"
	"github.com/penstock-db/penstock/plugins/cpu/vector"
)

// Columns are the vertex columns of a Layout by name.
type Columns map[string]vector.Column

// OpenColumns finds the columns of layout, each n values long.
func OpenColumns(a *arena.Arena, layout plugins.Layout, n int) (Columns, error) {
	found := Columns{}
	for _, c := range layout.Columns {
		column, err := OpenColumn(a, c.Type, c.Range, n)
		if err != nil {
			return nil, plugins.Errorf(plugins.KindInvalid, "column %q: %w", c.Name, err)
		}
		found[c.Name] = column
	}
	return found, nil
}

// Has tells whether the layout has a column with its type.
func (c Columns) Has(wanted algorithms.Column) bool {
	found, ok := c[wanted.Name]
	switch {
	case !ok:
		return false
	case wanted.Type == algorithms.Float:
		return found.Floats != nil
	case wanted.Type == algorithms.Bool:
		return found.Bools != nil
	default:
		return found.Ints != nil
	}
}

// OpenColumn finds n values of a type.
func OpenColumn(a *arena.Arena, t algorithms.Type, at arena.Range, n int) (vector.Column, error) {
	if need := uint64(n) * Width(t); at.Length < need {
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

// OpenBitmap finds a set of n vertices.
func OpenBitmap(a *arena.Arena, at arena.Range, n int) ([]uint64, error) {
	words, err := a.Uint64s(at)
	if err != nil {
		return nil, plugins.Errorf(plugins.KindInvalid, "bitmap: %w", err)
	}
	if len(words) < bitmap.Words(n) {
		return nil, plugins.Errorf(plugins.KindInvalid, "bitmap: %d words for %d vertices; expected %d", len(words), n, bitmap.Words(n))
	}
	return words[:bitmap.Words(n)], nil
}

// Bytes is what the ranges of a layout take of the budget.
func Bytes(layout plugins.Layout) uint64 {
	bytes := layout.Active.Length
	for _, c := range layout.Columns {
		bytes += c.Range.Length
	}
	return bytes
}

// asBools reads bytes as Bools. Only devices write them, in Init, as 0 and 1, and the
// host, before Restore, as they were.
func asBools(b []byte) []bool {
	return unsafe.Slice((*bool)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// head is the first n values, or none of a slice that an error left short.
func head[T any](s []T, n int) []T { return s[:min(n, len(s))] }

// Width is the bytes of a value of type t in a column.
func Width(t algorithms.Type) uint64 {
	if t == algorithms.Bool {
		return 1
	}
	return 8
}
