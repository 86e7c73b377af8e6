package write

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/expression"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// Change is an item of SET or REMOVE: what is changed, and how, where that is not null.
type Change struct {
	Target expression.Evaluator
	Make   func(entity value.Value) error
}

// Changes are the items of a clause.
type Changes []Change

// apply makes the changes of the row that the frame has.
func (c Changes) apply(f *frame.Frame) error {
	for i := range c {
		entity, err := c[i].Target()
		if err != nil {
			return err
		}
		if err := changeable(entity); err != nil {
			return err
		}
		if entity.IsNull() {
			continue
		}
		if err := c[i].Make(entity); err != nil {
			return err
		}
	}
	return f.Tick()
}

// Set makes changes for each row.
func Set(f *frame.Frame, input frame.Input, changes Changes, next frame.Emit) frame.Emit {
	return input(func() error {
		if err := changes.apply(f); err != nil {
			return err
		}
		return next()
	})
}

func changeable(v value.Value) error {
	switch v.Kind() {
	case value.Node, value.Relationship, value.Null:
		return nil
	}
	return fault.Met(fault.TypeError, "InvalidArgumentType", "only nodes and relationships can be changed, not the %s %s",
		v.Kind(), v.Text())
}

// SetProperty sets a property, or removes it where the value is null.
func SetProperty(f *frame.Frame, text string, to expression.Evaluator) func(entity value.Value) error {
	key := frame.NewName(text)
	return func(entity value.Value) error {
		v, err := to()
		if err != nil {
			return err
		}
		return setOne(f, entity, key.Make(f.Graph.NewKey), text, v)
	}
}

// SetProperties sets all properties from a map, node or relationship; where it adds them those that
// it does not have stay.
func SetProperties(f *frame.Frame, properties Entries, adds bool) func(entity value.Value) error {
	return func(entity value.Value) error {
		entries, err := properties()
		if err != nil {
			return err
		}
		if !adds {
			if err := removeOthers(f, entity, entries); err != nil {
				return err
			}
		}
		return setAll(f, entity, entries)
	}
}

// removeOthers removes the properties that have no entry.
func removeOthers(f *frame.Frame, of value.Value, entries []value.Entry) error {
	before, err := entity.Properties(f.Graph, of)
	if err != nil {
		return err
	}
	for _, e := range before {
		if slices.ContainsFunc(entries, func(other value.Entry) bool { return other.Key == e.Key }) {
			continue
		}
		if err := setOne(f, of, f.Graph.NewKey(e.Key), e.Key, value.Value{}); err != nil {
			return err
		}
	}
	return nil
}

// SetLabels adds labels to a node, or removes them.
func SetLabels(f *frame.Frame, texts []string, removes bool) func(entity value.Value) error {
	labels := frame.Names(texts)
	change, counter := f.Graph.AddLabel, &f.Counted.LabelsAdded
	if removes {
		change, counter = f.Graph.RemoveLabel, &f.Counted.LabelsRemoved
	}
	return func(entity value.Value) error {
		if entity.Kind() != value.Node {
			return fault.Met(fault.TypeError, "InvalidArgumentType", "only nodes have labels that can be changed")
		}
		for i := range labels {
			changed, err := change(entity.ID(), labels[i].Make(f.Graph.NewLabel))
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
