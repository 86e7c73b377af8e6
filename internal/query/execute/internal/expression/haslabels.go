package expression

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
)

// hasLabels is n:A:B. A relationship has its type.
func hasLabels(f *frame.Frame, texts []string, subject Evaluator) Evaluator {
	labels := frame.Names(texts)
	return func() (value.Value, error) {
		v, err := subject()
		if err != nil {
			return v, err
		}
		switch v.Kind() {
		case value.Null:
			return v, nil
		case value.Node:
			return hasAll(f.Graph, v.ID(), labels)
		case value.Relationship:
			_, _, typ, err := f.Ends(v.ID())
			if err != nil {
				return v, err
			}
			name := f.Graph.TypeName(typ)
			return value.OfBool(!slices.ContainsFunc(texts, func(l string) bool { return l != name })), nil
		}
		return v, fault.Met(fault.TypeError, "InvalidArgumentType", "only nodes have labels, not the %s %s", v.Kind(),
			v.Text())
	}
}

func hasAll(g frame.Graph, node uint64, labels []frame.Name) (value.Value, error) {
	for i := range labels {
		token, ok := labels[i].Find(g.Label)
		if !ok {
			return value.OfBool(false), nil
		}
		has, err := g.HasLabel(node, token)
		if err != nil || !has {
			return value.OfBool(false), err
		}
	}
	return value.OfBool(true), nil
}
