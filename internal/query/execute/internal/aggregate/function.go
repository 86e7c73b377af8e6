package aggregate

import (
	"fmt"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/execute/internal/rows"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// aggregator is an aggregate function's state for one group.
type aggregator interface {
	// add takes arguments, the first of which is not null. What is kept of them is charged to t.
	add(arguments []value.Value, t *budget.Tally) error
	result() (value.Value, error)
}

// function is an aggregate function as a projection calls it.
type function struct {
	first, count int // its arguments within a record; none: count(*)
	make         func() aggregator
}

var aggregators = map[string]func() aggregator{
	"count(*)":       func() aggregator { return new(counting) },
	"count":          func() aggregator { return new(counting) },
	"sum":            func() aggregator { return &summing{sum: value.OfInt(0)} },
	"avg":            func() aggregator { return new(averaging) },
	"min":            func() aggregator { return &extreme{sign: -1} },
	"max":            func() aggregator { return &extreme{sign: 1} },
	"collect":        func() aggregator { return new(collecting) },
	"stdev":          func() aggregator { return &deviation{sample: 1} },
	"stdevp":         func() aggregator { return new(deviation) },
	"percentilecont": func() aggregator { return &percentile{pick: continuous} },
	"percentiledisc": func() aggregator { return &percentile{pick: discrete} },
}

// newFunction is the function whose arguments are in a record from first on.
func newFunction(f *frame.Frame, a *plan.Aggregation, first int) (function, error) {
	create, ok := aggregators[a.Function]
	if a.Procedure != nil {
		create, ok = func() aggregator { return &gathering{Frame: f, procedure: a.Procedure} }, true
	}
	if !ok {
		return function{}, fmt.Errorf("execute: no aggregate function %s", a.Function)
	}
	made := function{first, len(a.Arguments), create}
	if a.Distinct {
		made.make = func() aggregator { return &onlyDistinct{aggregator: create()} }
	}
	return made, nil
}

// add adds what a record has of its arguments; a record may stand for several rows.
func (f *function) add(to aggregator, record []value.Value, t *budget.Tally) error {
	if f.count == 0 {
		to.(*counting).count += record[len(record)-1].Int()
		return nil
	}
	if record[f.first].IsNull() {
		return nil
	}
	return to.add(record[f.first:f.first+f.count], t)
}

// onlyDistinct passes on the first of equal values.
type onlyDistinct struct {
	aggregator
	seen *rows.Set // nil: nothing yet
}

func (d *onlyDistinct) add(arguments []value.Value, t *budget.Tally) error {
	if d.seen == nil {
		d.seen = rows.NewSet(1, t)
	}
	fresh, err := d.seen.Insert(arguments[:1])
	if err != nil || !fresh {
		return err
	}
	return d.aggregator.add(arguments, t)
}
