package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// nodesTo emits a row for each node that it is called with, and keeps the error that ends it.
func (b *builder) nodesTo(slot int, next emit, failed *error) func(id uint64) bool {
	f := b.frame
	return func(id uint64) bool {
		f.row[slot] = value.OfNodeID(id)
		if *failed = f.tick(); *failed == nil {
			*failed = f.pass(next)
		}
		return *failed == nil
	}
}

func (b *builder) allNodes(o *plan.AllNodes, next emit) emit {
	var failed error
	each := b.nodesTo(o.Slot, next, &failed)
	return b.operator(o.Input, func() error {
		failed = nil
		if err := b.graph.Nodes(each); err != nil {
			return err
		}
		return failed
	})
}

func (b *builder) nodesByLabel(o *plan.NodesByLabel, next emit) emit {
	var failed error
	each, label := b.nodesTo(o.Slot, next, &failed), name{text: o.Label}
	return b.operator(o.Input, func() error {
		token, ok := label.find(b.graph.Label)
		if !ok {
			return nil
		}
		failed = nil
		if err := b.graph.NodesWith(token, each); err != nil {
			return err
		}
		return failed
	})
}

func (b *builder) nodesByID(o *plan.NodesByID, next emit) emit {
	ids, f := b.expression(o.IDs), b.frame
	one := func(v value.Value) error {
		id, ok := whole(v)
		if !ok || !f.graph.NodeExists(id) {
			return nil
		}
		f.row[o.Slot] = value.OfNodeID(id)
		return next()
	}
	return b.operator(o.Input, func() error {
		v, err := ids()
		if err != nil {
			return err
		}
		if o.List {
			return b.eachDistinct(v, one)
		}
		return one(v)
	})
}

// eachDistinct calls do for the elements of a list, equal ones once.
func (f *frame) eachDistinct(list value.Value, do func(value.Value) error) error {
	elements, err := elementsOf(list)
	if err != nil {
		return err
	}
	seen := newSet(1, f.tally("IN"))
	defer seen.clear()
	for i := range elements {
		fresh, err := seen.add(elements[i : i+1])
		if err != nil {
			return err
		}
		if !fresh {
			continue
		}
		if err := do(elements[i]); err != nil {
			return err
		}
	}
	return nil
}

// whole is a number that is an id, as = of an integer sees it.
func whole(v value.Value) (uint64, bool) {
	switch v.Kind() {
	case value.Int:
		return uint64(v.Int()), v.Int() >= 0
	case value.Float:
		id := uint64(max(v.Float(), 0))
		return id, float64(id) == v.Float()
	}
	return 0, false
}
