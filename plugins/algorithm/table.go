package algorithm

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// table is the result of an algorithm whose definition has Rows. No more of it is touched than is filled.
type table struct {
	algorithm string
	columns   []algorithms.Values // none: the result is no table
	taken     atomic.Int64        // rows, and those that there was no room for
}

// room is how many rows there may be.
func (t *table) room() int { return t.columns[0].Vertices() }

// NewRow takes the next row of a result that is a table: what it has is written at this place of each column, and the
// values of a list from row*Per() on. It begins with zeros, and lists are empty. Rows are shown in the order in which
// they were taken; several goroutines may take some at once. It fails, and so does the run, where the table is full.
func (g *Graph) NewRow() (row int, err error) {
	t := g.table
	if len(t.columns) == 0 {
		return 0, plugins.Errorf(plugins.KindInvalid, "algorithm %s takes a row, and its definition has no Rows", t.algorithm)
	}
	row = int(t.taken.Add(1)) - 1
	if row >= t.room() {
		return 0, t.full()
	}
	for _, c := range t.columns {
		from, to := row*c.Per(), (row+1)*c.Per()
		switch {
		case c.Floats != nil:
			fill(c.Floats[from:to], c.Each, math.NaN())
		case c.Ints != nil:
			fill(c.Ints[from:to], c.Each, algorithms.Unreached)
		default:
			clear(c.Bools[from:to])
		}
	}
	return row, nil
}

// fill is zeros, or an empty list.
func fill[T float64 | int64](values []T, list int, nothing T) {
	if list == 0 {
		nothing = 0
	}
	for i := range values {
		values[i] = nothing
	}
}

func (t *table) full() error {
	return plugins.Errorf(plugins.KindInvalid, "the result of %s has more than %d rows, which is all that its definition makes room for",
		t.algorithm, t.room())
}

// end says where the table ends. It fails where there were more rows than it has room for, or one that says so itself.
func (t *table) end() error {
	if len(t.columns) == 0 {
		return nil
	}
	rows, first := int(t.taken.Load()), t.columns[0].Ints
	if rows > t.room() {
		return t.full()
	}
	if at := slices.Index(first[:rows], algorithms.Unreached); at >= 0 {
		return plugins.Errorf(plugins.KindInvalid, "row %d of %d that %s gives has no value in its first column, %s, where every row has one",
			at, rows, t.algorithm, t.columns[0].Name)
	}
	if rows < t.room() {
		first[rows] = algorithms.Unreached
	}
	return nil
}

// SortRows sorts the rows that have been taken by their columns, the first one first, so that they come in the same
// order whichever goroutine took them: vertices by their ids, false before true. It is for one goroutine, when no other
// takes rows.
func (g *Graph) SortRows() {
	if rows := int(g.table.taken.Load()); len(g.table.columns) > 0 && rows <= g.table.room() {
		sort.Sort(byColumns{g.table.columns, rows})
	}
}

// byColumns sorts rows of columns in place.
type byColumns struct {
	columns []algorithms.Values
	rows    int
}

func (s byColumns) Len() int { return s.rows }

func (s byColumns) Less(i, j int) bool {
	for _, c := range s.columns {
		for k := range c.Per() {
			if order := compare(c, i*c.Per()+k, j*c.Per()+k); order != 0 {
				return order < 0
			}
		}
	}
	return false
}

func compare(c algorithms.Values, i, j int) int {
	switch {
	case c.Floats != nil:
		return cmp.Compare(c.Floats[i], c.Floats[j])
	case c.Ints != nil:
		return cmp.Compare(c.Ints[i], c.Ints[j])
	case c.Bools[i] == c.Bools[j]:
		return 0
	case c.Bools[j]:
		return -1
	}
	return 1
}

func (s byColumns) Swap(i, j int) {
	for _, c := range s.columns {
		swap(c.Floats, c.Per(), i, j)
		swap(c.Ints, c.Per(), i, j)
		swap(c.Bools, c.Per(), i, j)
	}
}

func swap[T any](values []T, per, i, j int) {
	if values == nil {
		return
	}
	for k := range per {
		values[i*per+k], values[j*per+k] = values[j*per+k], values[i*per+k]
	}
}
