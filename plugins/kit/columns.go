package kit

import (
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// Columns are the vertex columns of a Layout by name. Their values lie in the arena.
type Columns map[string]algorithms.Values

// OpenColumns finds the columns of layout, each n values long.
func OpenColumns(a *arena.Arena, layout plugins.Layout, n int) (Columns, error) {
	found := Columns{}
	for _, c := range layout.Columns {
		values, err := openColumn(a, c.Column, c.Range, n)
		if err != nil {
			return nil, plugins.Errorf(plugins.KindInvalid, "column %q: %w", c.Name, err)
		}
		found[c.Name] = values
	}
	return found, nil
}

// Require fails unless the columns are there, with these types, and as many values of a vertex.
func (c Columns) Require(columns ...algorithms.Column) error {
	for _, wanted := range columns {
		found, ok := c[wanted.Name]
		if !ok || !holds(found, wanted.Type) || found.Per() != wanted.Per() || found.Rows != wanted.Rows {
			return plugins.Errorf(plugins.KindInvalid, "the layout has no column %q of type %v, %d values in each of %d rows (0: a row a vertex)",
				wanted.Name, wanted.Type, wanted.Per(), wanted.Rows)
		}
	}
	return nil
}

// holds tells whether values of type t are stored as those of v are.
func holds(v algorithms.Values, t algorithms.Type) bool {
	switch t {
	case algorithms.Float:
		return v.Floats != nil
	case algorithms.Bool:
		return v.Bools != nil
	default:
		return v.Ints != nil
	}
}

// openColumn finds the values of a column of n vertices.
func openColumn(a *arena.Arena, c algorithms.Column, at arena.Range, n int) (algorithms.Values, error) {
	found := algorithms.Values{Column: c}
	if c.Each < 0 || c.Each > algorithms.MaxWidth {
		return found, plugins.Errorf(plugins.KindInvalid, "%d values a vertex; expected up to %d", c.Each, algorithms.MaxWidth)
	}
	if c.Rows < 0 || c.Rows > algorithms.MaxRows {
		return found, plugins.Errorf(plugins.KindInvalid, "%d rows; expected up to %d", c.Rows, algorithms.MaxRows)
	}
	values := c.Count(uint64(n))
	if need := values * Width(c.Type); at.Length < need {
		return found, plugins.Errorf(plugins.KindInvalid, "%d bytes for %d values of %d vertices; expected %d", at.Length, values,
			n, need)
	}
	n = int(values)
	switch c.Type {
	case algorithms.Float:
		values, err := a.Float64s(at)
		found.Floats = head(values, n)
		return found, err
	case algorithms.Bool:
		values, err := a.Bytes(at)
		found.Bools = asBools(head(values, n))
		return found, err
	default:
		values, err := a.Int64s(at)
		found.Ints = head(values, n)
		return found, err
	}
}

// OpenBitmap finds a set of n vertices.
func OpenBitmap(a *arena.Arena, at arena.Range, n int) ([]uint64, error) {
	words, err := a.Uint64s(at)
	if err != nil {
		return nil, plugins.Errorf(plugins.KindInvalid, "bitmap: %w", err)
	}
	if len(words) < bitmap.Words(n) {
		return nil, plugins.Errorf(plugins.KindInvalid, "bitmap: %d words for %d vertices; expected %d", len(words), n,
			bitmap.Words(n))
	}
	return words[:bitmap.Words(n)], nil
}

// Rows are those of a Layout by name. Their numbers lie in the arena.
type Rows map[string][]float32

// OpenRows finds the rows of layout, of n vertices.
func OpenRows(a *arena.Arena, layout plugins.Layout, n int) (Rows, error) {
	found := Rows{}
	for _, r := range layout.Rows {
		numbers, err := a.Float32s(r.Range)
		if err != nil {
			return nil, plugins.Errorf(plugins.KindInvalid, "rows %q: %w", r.Name, err)
		}
		if r.Width < 1 || uint64(len(numbers)) != r.Count(uint64(n)) {
			return nil, plugins.Errorf(plugins.KindInvalid, "rows %q: %d numbers for %d vertices, %d each", r.Name, len(numbers), n,
				r.Width)
		}
		found[r.Name] = numbers
	}
	return found, nil
}

// Require finds rows of which there are so many numbers.
func (r Rows) Require(name string, numbers int) ([]float32, error) {
	if found, ok := r[name]; ok && len(found) == numbers {
		return found, nil
	}
	return nil, plugins.Errorf(plugins.KindInvalid, "the layout has no rows %q of %d numbers in all", name, numbers)
}

// LayoutBytes is what the ranges of a layout take of the budget.
func LayoutBytes(layout plugins.Layout) uint64 {
	bytes := layout.Active.Length
	for _, c := range layout.Columns {
		bytes += c.Range.Length
	}
	for _, r := range layout.Rows {
		bytes += r.Range.Length
	}
	return bytes
}

// Width is the bytes of a value of type t in a column.
func Width(t algorithms.Type) uint64 {
	if t == algorithms.Bool {
		return 1
	}
	return 8
}

// ColumnBytes is what a column of so many vertices takes.
func ColumnBytes(c algorithms.Column, vertices uint64) uint64 {
	return c.Count(vertices) * Width(c.Type)
}

// asBools reads bytes as Bools. Devices write them as 0 and 1, and before Restore the
// host writes them as they were.
func asBools(b []byte) []bool {
	return unsafe.Slice((*bool)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// head is the first n values, or none of a slice that an error left short.
func head[T any](s []T, n int) []T { return s[:min(n, len(s))] }
