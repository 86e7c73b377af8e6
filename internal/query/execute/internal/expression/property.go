package expression

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/function"
	"github.com/penstock-db/penstock/internal/query/plan"
)

// property compiles subject.key.
func (c *Compiler) property(e *ast.Property) Evaluator {
	if slot, ok := e.Subject.(*plan.Slot); ok {
		return propertyOfSlot(c.frame, slot.Index, e.Key)
	}
	return property(c.frame, c.Expression(e.Subject), e.Key)
}

func property(f *frame.Frame, subject Evaluator, text string) Evaluator {
	key := frame.NewName(text)
	return func() (value.Value, error) {
		v, err := subject()
		if err != nil {
			return v, err
		}
		switch v.Kind() {
		case value.Node, value.Relationship:
			return entity.Named(f.Graph, v, &key)
		}
		return function.Property(v, text)
	}
}

// propertyOfSlot is what most queries ask for most often.
func propertyOfSlot(f *frame.Frame, slot int, text string) Evaluator {
	key := frame.NewName(text)
	return func() (value.Value, error) {
		switch v := f.Row[slot]; v.Kind() {
		case value.Node, value.Relationship:
			return entity.Named(f.Graph, v, &key)
		default:
			return function.Property(v, text)
		}
	}
}

// hasProperties is whether the subject has all that a map has.
func hasProperties(f *frame.Frame, subject Evaluator, entries func() ([]value.Entry, error)) Evaluator {
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
			key := frame.NewName(entry.Key)
			is, err := entity.Named(f.Graph, v, &key)
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
