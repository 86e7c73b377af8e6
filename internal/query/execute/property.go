package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// property is subject.key.
func (b *builder) property(e *ast.Property) evaluator {
	if slot, ok := e.Subject.(*plan.Slot); ok {
		return b.propertyOfSlot(slot.Index, e.Key)
	}
	f, key, subject := b.frame, name{text: e.Key}, b.expression(e.Subject)
	return func() (value.Value, error) {
		v, err := subject()
		if err != nil {
			return v, err
		}
		switch v.Kind() {
		case value.Node, value.Relationship:
			return f.named(v, &key)
		}
		return function.Property(v, e.Key)
	}
}

// propertyOfSlot is what most queries ask for most often.
func (b *builder) propertyOfSlot(slot int, text string) evaluator {
	f, key := b.frame, name{text: text}
	return func() (value.Value, error) {
		switch v := f.row[slot]; v.Kind() {
		case value.Node, value.Relationship:
			return f.named(v, &key)
		default:
			return function.Property(v, text)
		}
	}
}

// named is a property of a node or relationship.
func (f *frame) named(entity value.Value, key *name) (value.Value, error) {
	if !key.known {
		if _, ok := key.find(f.graph.Key); !ok {
			return value.Value{}, nil
		}
	}
	return f.propertyOf(entity, key.token)
}

// hasProperties is whether the subject has all that a map has.
func (b *builder) hasProperties(e *plan.HasProperties) evaluator {
	f, entries, subject := b.frame, b.entries(e.Expression), b.slot(e.Subject)
	return func() (value.Value, error) {
		v, err := subject()
		if err != nil || v.IsNull() {
			return value.Value{}, err
		}
		wanted, err := entries()
		if err != nil {
			return value.Value{}, err
		}
		for _, entry := range wanted {
			is, err := f.named(v, &name{text: entry.Key})
			if err != nil {
				return value.Value{}, err
			}
			if eq, known := value.Equal(is, entry.Value); !eq || !known {
				return value.OfBool(false), nil
			}
		}
		return value.OfBool(true), nil
	}
}
