package intervals

import (
	"context"
	"slices"

	"github.com/penstock-db/penstock/plugins"
)

// aggregate adds up the terms of aggregates over all vertices, and gives every vertex the sums. The terms of a state
// are what Apply makes of it without messages; nothing else of that is kept.
func (e *executor) aggregate(ctx context.Context) error {
	v := e.Plan.Intervals
	if len(v.Program.Sums) == 0 {
		return nil
	}
	sums := make([]float64, len(v.Program.Sums))
	for j := range v.Count {
		e.bring(ctx, j)
		e.forgetSources()
		if err := e.restore(); err != nil {
			return err
		}
		if _, err := e.Device.Do(plugins.Command{Op: plugins.Apply}, nil); err != nil {
			return err
		}
		for k, name := range v.Program.Terms {
			terms, err := e.floats(name)
			if err != nil {
				return err
			}
			for _, term := range terms[e.each : e.each+e.interval(j).Count] {
				sums[k] += term
			}
		}
	}
	for k, name := range v.Program.Sums {
		values, err := e.floats(name)
		if err != nil {
			return err
		}
		for i := range values {
			values[i] = sums[k]
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
