package execute

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// hasLabels is n:A:B. A relationship has its type.
func (b *builder) hasLabels(e *ast.HasLabels) evaluator {
	f, labels, subject := b.frame, names(e.Labels), b.expression(e.Subject)
	return func() (value.Value, error) {
		v, err := subject()
		if err != nil {
			return v, err
		}
		switch v.Kind() {
		case value.Null:
			return v, nil
		case value.Node:
			return f.hasAll(v.ID(), labels)
		case value.Relationship:
			_, _, typ, err := f.ends(v.ID())
			if err != nil {
				return v, err
			}
			name := f.graph.TypeName(typ)
			return value.OfBool(!slices.ContainsFunc(e.Labels, func(l string) bool { return l != name })), nil
		}
		return v, fault.Met(fault.TypeError, "InvalidArgumentType", "only nodes have labels, not the %s %s", v.Kind(), v.Text())
	}
}

func (f *frame) hasAll(node uint64, labels []name) (value.Value, error) {
	for i := range labels {
		token, ok := labels[i].find(f.graph.Label)
		if !ok {
			return value.OfBool(false), nil
		}
		has, err := f.graph.HasLabel(node, token)
		if err != nil || !has {
			return value.OfBool(false), err
		}
	}
	return value.OfBool(true), nil
}
