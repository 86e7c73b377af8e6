package intervals

import (
	"slices"

	"github.com/penstock-db/penstock/plugins"
)

// tellSums gives every vertex of the session what aggregates over all vertices come to, and begins to add up anew.
func (e *executor) tellSums() error {
	for k, name := range e.Plan.Intervals.Program.Sums {
		values, err := e.floats(name)
		if err != nil {
			return err
		}
		for i := range values {
			values[i] = e.sums[k]
		}
		e.sums[k] = 0
	}
	return nil
}

// addTerms adds the terms of the state that destinations have been given.
func (e *executor) addTerms(j int) error {
	for k, name := range e.Plan.Intervals.Program.Terms {
		terms, err := e.floats(name)
		if err != nil {
			return err
		}
		for _, term := range terms[e.each : e.each+e.interval(j).Count] {
			e.sums[k] += term
		}
	}
	return nil
}

// floats is a column of the session.
func (e *executor) floats(name string) ([]float64, error) {
	columns := e.Plan.Intervals.Cell.Columns
	i := slices.IndexFunc(columns, func(c plugins.VertexColumn) bool { return c.Name == name })
	return e.Arena().Float64s(columns[i].Range)
}
