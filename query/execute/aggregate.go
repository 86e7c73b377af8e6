package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/query/plan"
)

// aggregating is an Aggregate at work: groups by their keys, and for each an aggregator of every
// function.
type aggregating struct {
	*plan.Aggregate
	*frame
	keys      []evaluator
	functions []*aggregateFunction
	groups    *set
	values    []aggregator // of each group len(functions)
	key       []value.Value
	held      int64
}

func (b *builder) aggregate(o *plan.Aggregate, next emit) emit {
	a := &aggregating{Aggregate: o, frame: b.frame, key: make([]value.Value, len(o.Keys))}
	for _, key := range o.Keys {
		a.keys = append(a.keys, b.expression(key.Expression))
	}
	for i := range o.Values {
		a.functions = append(a.functions, b.aggregateFunction(&o.Values[i]))
	}
	run := b.operator(o.Input, a.take)
	return func() error {
		a.groups, a.held = newSet(len(o.Keys)), 0
		defer a.drop()
		if len(o.Keys) == 0 {
			a.group() // there is one also of no rows
		}
		if err := run(); err != nil {
			return err
		}
		return a.emitAll(next)
	}
}

// take adds the row to its group.
func (a *aggregating) take() error {
	for i, key := range a.keys {
		v, err := key()
		if err != nil {
			return err
		}
		a.key[i] = v
	}
	weight := int64(1)
	if a.Weight >= 0 {
		weight = a.row[a.Weight].Int()
	}
	for i, one := range a.group() {
		bytes, err := a.functions[i].add(one, weight)
		if err != nil {
			return err
		}
		if bytes > 0 {
			if err := a.charge(bytes); err != nil {
				return err
			}
		}
	}
	return a.tick()
}

// group is the aggregators of the group that the key is of.
func (a *aggregating) group() []aggregator {
	n := len(a.functions)
	number, fresh := a.groups.find(a.key)
	if fresh {
		for _, f := range a.functions {
			a.values = append(a.values, f.make())
		}
	}
	return a.values[number*n : (number+1)*n]
}

func (a *aggregating) charge(bytes int64) error {
	a.held += bytes
	return a.hold("an aggregate", bytes)
}

func (a *aggregating) emitAll(next emit) error {
	n := len(a.functions)
	for g := range len(a.groups.chains) {
		for i, v := range a.groups.row(g) {
			a.row[a.Keys[i].Slot] = v
		}
		for i, one := range a.values[g*n : (g+1)*n] {
			v, err := one.result()
			if err != nil {
				return err
			}
			a.row[a.Values[i].Slot] = v
		}
		if err := next(); err != nil {
			return err
		}
	}
	return nil
}

func (a *aggregating) drop() {
	a.release(a.held)
	a.groups, a.values, a.held = nil, nil, 0
}
