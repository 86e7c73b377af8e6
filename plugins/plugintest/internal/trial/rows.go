package trial

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
)

// sameRows compares tables of rows, which may come in any order. Those of the oracle are as long as there are rows, or
// end as those of a device do.
func sameRows(g *algorithms.Graph, columns []algorithms.Column, got, want []algorithms.Values,
	equal func(a, b float64) bool) error {
	got, rows, err := sorted(columns, got)
	if err != nil {
		return fmt.Errorf("the device: %w", err)
	}
	want, expected, err := sorted(columns, want)
	switch {
	case err != nil:
		return fmt.Errorf("the oracle: %w", err)
	case rows != expected:
		return fmt.Errorf("there are %d rows; expected %d", rows, expected)
	case rows == 0:
		return nil
	}
	if err := Differs(g, got, want, equal); err != nil {
		return fmt.Errorf("of the rows, sorted: %w", err)
	}
	return nil
}

// sorted are the rows of a table in one order: by all that is no float, and then by floats, which may differ by
// rounding.
func sorted(columns []algorithms.Column, values []algorithms.Values) (all []algorithms.Values, rows int, err error) {
	if len(values) != len(columns) {
		return nil, 0, fmt.Errorf("there are %d columns; expected %d", len(values), len(columns))
	}
	rows = algorithms.Filled(values[0].Ints)
	for i, c := range columns {
		if values[i].Len() < rows*c.Per() {
			return nil, 0, fmt.Errorf("column %s has %d values; expected %d, for %d rows", c.Name, values[i].Len(), rows*c.Per(), rows)
		}
	}
	order := make([]int, rows)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(compareRows(columns, values, a, b, false), compareRows(columns, values, a, b, true))
	})
	for i, c := range columns {
		c.Rows = rows
		one := algorithms.NewValues(c, 0)
		for to, from := range order {
			for k := range c.Per() {
				copyValue(one, to*c.Per()+k, values[i], from*c.Per()+k)
			}
		}
		all = append(all, one)
	}
	return all, rows, nil
}

// compareRows compares two rows by the columns of floats, or by all others.
func compareRows(columns []algorithms.Column, values []algorithms.Values, a, b int, floats bool) int {
	for i, c := range columns {
		for k := range c.Per() {
			from, to := a*c.Per()+k, b*c.Per()+k
			order := 0
			switch {
			case (c.Type == algorithms.Float) != floats:
			case floats:
				order = cmp.Compare(values[i].Floats[from], values[i].Floats[to])
			case c.Type == algorithms.Bool:
				order = cmp.Compare(fmt.Sprint(values[i].Bools[from]), fmt.Sprint(values[i].Bools[to]))
			default:
				order = cmp.Compare(values[i].Ints[from], values[i].Ints[to])
			}
			if order != 0 {
				return order
			}
		}
	}
	return 0
}

// copyValue sets a value to one of another column of its type.
func copyValue(to algorithms.Values, at int, from algorithms.Values, i int) {
	switch to.Type {
	case algorithms.Float:
		to.Floats[at] = from.Floats[i]
	case algorithms.Bool:
		to.Bools[at] = from.Bools[i]
	default:
		to.Ints[at] = from.Ints[i]
	}
}
