package execute

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/plan"
)

func (b *builder) set(o *plan.Set, next emit) emit {
	change := b.changes(o.Changes)
	return b.operator(o.Input, func() error {
		if err := change(); err != nil {
			return err
		}
		return next()
	})
}

// changes compiles the items of SET or REMOVE.
func (b *builder) changes(items []plan.Change) emit {
	steps := make([]func(entity value.Value) error, len(items))
	targets := make([]evaluator, len(items))
	for i := range items {
		steps[i], targets[i] = b.change(&items[i]), b.expression(items[i].Target)
	}
	return func() error {
		for i, step := range steps {
			entity, err := targets[i]()
			if err != nil {
				return err
			}
			if err := changeable(entity); err != nil {
				return err
			}
			if entity.IsNull() {
				continue
			}
			if err := step(entity); err != nil {
				return err
			}
		}
		return b.tick()
	}
}

func changeable(v value.Value) error {
	switch v.Kind() {
	case value.Node, value.Relationship, value.Null:
		return nil
	}
	return fault.Met(fault.TypeError, "InvalidArgumentType", "only nodes and relationships can be changed, not the %s %s", v.Kind(), v.Text())
}

func (b *builder) change(c *plan.Change) func(entity value.Value) error {
	switch {
	case len(c.Labels) > 0:
		return b.changeLabels(c)
	case c.Key != "":
		return b.changeProperty(c)
	}
	return b.changeProperties(c)
}

func (b *builder) changeProperty(c *plan.Change) func(entity value.Value) error {
	f, key, to := b.frame, name{text: c.Key}, b.some(c.Value)
	return func(entity value.Value) error {
		v, err := to()
		if err != nil {
			return err
		}
		return f.setOne(entity, key.make(f.graph.NewKey), c.Key, v)
	}
}

// changeProperties sets all properties from a map, node or relationship; with += those that it
// does not have stay.
func (b *builder) changeProperties(c *plan.Change) func(entity value.Value) error {
	f, properties := b.frame, b.entries(c.Value)
	return func(entity value.Value) error {
		entries, err := properties()
		if err != nil {
			return err
		}
		if !c.Add {
			if err := f.removeOthers(entity, entries); err != nil {
				return err
			}
		}
		return f.setAll(entity, entries)
	}
}

// removeOthers removes the properties that have no entry.
func (f *frame) removeOthers(entity value.Value, entries []value.Entry) error {
	before, err := f.propertiesOf(entity)
	if err != nil {
		return err
	}
	for _, e := range before {
		if slices.ContainsFunc(entries, func(other value.Entry) bool { return other.Key == e.Key }) {
			continue
		}
		if err := f.setOne(entity, f.graph.NewKey(e.Key), e.Key, value.Value{}); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) changeLabels(c *plan.Change) func(entity value.Value) error {
	f, labels := b.frame, names(c.Labels)
	change, counter := f.graph.AddLabel, &f.counters.LabelsAdded
	if c.Removes {
		change, counter = f.graph.RemoveLabel, &f.counters.LabelsRemoved
	}
	return func(entity value.Value) error {
		if entity.Kind() != value.Node {
			return fault.Met(fault.TypeError, "InvalidArgumentType", "only nodes have labels that can be changed")
		}
		for i := range labels {
			changed, err := change(entity.ID(), labels[i].make(f.graph.NewLabel))
			if err != nil {
				return err
			}
			if changed {
				*counter++
			}
		}
		return nil
	}
}
