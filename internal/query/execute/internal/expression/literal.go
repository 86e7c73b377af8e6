package expression

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
)

func listLiteral(f *frame.Frame, elements []Evaluator) Evaluator {
	return func() (value.Value, error) {
		all := make([]value.Value, len(elements))
		for i, element := range elements {
			v, err := element()
			if err != nil {
				return v, err
			}
			all[i] = v
		}
		return f.Budget.Built(value.OfList(all))
	}
}

// mapLiteral compiles a map; of keys that are written twice the last counts.
func (c *Compiler) mapLiteral(e *ast.MapLiteral) Evaluator {
	var keys []string
	var values []Evaluator
	for i, key := range e.Keys {
		if !slices.Contains(e.Keys[i+1:], key) {
			keys, values = append(keys, key), append(values, c.Expression(e.Values[i]))
		}
	}
	return mapOf(c.frame, keys, values)
}

func mapOf(f *frame.Frame, keys []string, values []Evaluator) Evaluator {
	return func() (value.Value, error) {
		entries := make([]value.Entry, len(keys))
		for i, key := range keys {
			v, err := values[i]()
			if err != nil {
				return v, err
			}
			entries[i] = value.Entry{Key: key, Value: v}
		}
		return f.Budget.Built(value.OfEntries(entries))
	}
}

// mapProjection compiles subject {.key, key: value, .*}.
func (c *Compiler) mapProjection(e *ast.MapProjection) Evaluator {
	subject := c.Expression(e.Subject)
	values := make([]Evaluator, len(e.Items))
	for i, item := range e.Items {
		if item.Value != nil {
			values[i] = c.Expression(item.Value)
		} else if !item.All {
			values[i] = c.property(&ast.Property{Position: e.Position, Subject: e.Subject, Key: item.Key})
		}
	}
	return projected(c.frame, subject, e.Items, values)
}

func projected(f *frame.Frame, subject Evaluator, items []ast.MapProjectionItem, values []Evaluator) Evaluator {
	return func() (value.Value, error) {
		v, err := subject()
		if err != nil || v.IsNull() {
			return v, err
		}
		result := map[string]value.Value{}
		for i, item := range items {
			if err := projectInto(f, result, item, v, values[i]); err != nil {
				return v, err
			}
		}
		return f.Budget.Built(value.OfMap(result))
	}
}

func projectInto(f *frame.Frame, result map[string]value.Value, item ast.MapProjectionItem, subject value.Value,
	of Evaluator) (err error) {
	if !item.All {
		result[item.Key], err = of()
		return err
	}
	entries, err := entity.Entries(f, subject)
	for _, entry := range entries {
		result[entry.Key] = entry.Value
	}
	return err
}
