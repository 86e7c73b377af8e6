package execute

import (
	"fmt"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/query/plan"
)

// aggregator is an aggregate function's state for one group.
type aggregator interface {
	// add takes a value that is not null, and tells how many more bytes are held for it.
	add(v value.Value) (bytes int64, err error)
	result() (value.Value, error)
}

// aggregateFunction is an aggregate function as a projection calls it.
type aggregateFunction struct {
	arguments []evaluator // the first is what is aggregated; none: count(*)
	make      func() aggregator
}

func (b *builder) aggregateFunction(a *plan.Aggregation) *aggregateFunction {
	f := &aggregateFunction{arguments: b.expressions(a.Arguments)}
	create, ok := map[string]func() aggregator{
		"count(*)": func() aggregator { return new(counting) },
		"count":    func() aggregator { return new(counting) },
		"sum":      func() aggregator { return &summing{sum: value.OfInt(0)} },
		"avg":      func() aggregator { return new(averaging) },
		"min":      func() aggregator { return &extreme{sign: -1} },
		"max":      func() aggregator { return &extreme{sign: 1} },
		"collect":  func() aggregator { return new(collecting) },
		"stdev":    func() aggregator { return &deviation{sample: 1} },
		"stdevp":   func() aggregator { return new(deviation) },
		"percentilecont": func() aggregator {
			return &percentile{at: f.arguments[1], pick: continuous}
		},
		"percentiledisc": func() aggregator {
			return &percentile{at: f.arguments[1], pick: discrete}
		},
	}[a.Function]
	if !ok {
		b.fail(fmt.Errorf("execute: no aggregate function %s", a.Function))
	}
	f.make = create
	if a.Distinct {
		f.make = func() aggregator { return &onlyDistinct{create(), newSet(1)} }
	}
	return f
}

// add evaluates the argument and adds it; a row may stand for several.
func (f *aggregateFunction) add(to aggregator, weight int64) (int64, error) {
	if len(f.arguments) == 0 {
		to.(*counting).count += weight
		return 0, nil
	}
	v, err := f.arguments[0]()
	if err != nil || v.IsNull() {
		return 0, err
	}
	return to.add(v)
}

// onlyDistinct passes on the first of equal values.
type onlyDistinct struct {
	aggregator
	seen *set
}

func (d *onlyDistinct) add(v value.Value) (int64, error) {
	if !d.seen.add([]value.Value{v}) {
		return 0, nil
	}
	bytes, err := d.aggregator.add(v)
	return bytes + size(v) + setOverhead, err
}
