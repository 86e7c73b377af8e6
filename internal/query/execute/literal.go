package execute

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

func (b *builder) listLiteral(e *ast.ListLiteral) evaluator {
	f, elements := b.frame, b.expressions(e.Elements)
	return func() (value.Value, error) {
		all := make([]value.Value, len(elements))
		for i, element := range elements {
			v, err := element()
			if err != nil {
				return v, err
			}
			all[i] = v
		}
		return f.built(value.OfList(all))
	}
}

// mapLiteral is a map; of keys that are written twice the last counts.
func (b *builder) mapLiteral(e *ast.MapLiteral) evaluator {
	var keys []string
	var values []evaluator
	for i, key := range e.Keys {
		if !slices.Contains(e.Keys[i+1:], key) {
			keys, values = append(keys, key), append(values, b.expression(e.Values[i]))
		}
	}
	f := b.frame
	return func() (value.Value, error) {
		entries := make([]value.Entry, len(keys))
		for i, key := range keys {
			v, err := values[i]()
			if err != nil {
				return v, err
			}
			entries[i] = value.Entry{Key: key, Value: v}
		}
		return f.built(value.OfEntries(entries))
	}
}

// mapProjection is subject {.key, key: value, .*}.
func (b *builder) mapProjection(e *ast.MapProjection) evaluator {
	f, subject := b.frame, b.expression(e.Subject)
	values := make([]evaluator, len(e.Items))
	for i, item := range e.Items {
		if item.Value != nil {
			values[i] = b.expression(item.Value)
		} else if !item.All {
			values[i] = b.property(&ast.Property{Position: e.Position, Subject: e.Subject, Key: item.Key})
		}
	}
	return func() (value.Value, error) {
		v, err := subject()
		if err != nil || v.IsNull() {
			return v, err
		}
		result := map[string]value.Value{}
		for i, item := range e.Items {
			if err := f.projectInto(result, item, v, values[i]); err != nil {
				return v, err
			}
		}
		return f.built(value.OfMap(result))
	}
}

func (f *frame) projectInto(result map[string]value.Value, item ast.MapProjectionItem, subject value.Value, of evaluator) (err error) {
	if !item.All {
		result[item.Key], err = of()
		return err
	}
	entries, err := f.entriesOf(subject)
	for _, entry := range entries {
		result[entry.Key] = entry.Value
	}
	return err
}
