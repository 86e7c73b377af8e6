package intervals

import (
	"slices"

	"github.com/penstock-db/penstock/plugins"
)

// tellSums gives every vertex of the session what aggregates over all vertices come to.
func (o *owner) tellSums(sums []float64) error {
	for k, name := range o.Plan.Intervals.Program.Sums {
		values, err := o.floats(name)
		if err != nil {
			return err
		}
		for i := range values {
			values[i] = sums[k]
		}
	}
	return nil
}

// terms adds up the terms of the state that destinations have been given.
func (o *owner) terms(j int) (sums []float64, err error) {
	for _, name := range o.Plan.Intervals.Program.Terms {
		terms, err := o.floats(name)
		if err != nil {
			return nil, err
		}
		sum := 0.0
		for _, term := range terms[o.each : o.each+o.interval(j).Count] {
			sum += term
		}
		sums = append(sums, sum)
	}
	return sums, nil
}

// floats is a column of the session.
func (o *owner) floats(name string) ([]float64, error) {
	columns := o.layout.Columns
	i := slices.IndexFunc(columns, func(c plugins.VertexColumn) bool { return c.Name == name })
	return o.Arena().Float64s(columns[i].Range)
}
