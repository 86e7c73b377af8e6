package table

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats"
)

// Merger lists the properties of several tables, in the order in which they are first seen.
type Merger struct {
	fields []arrow.Field
	first  map[string]int // index into fields and at
	at     []formats.Position
}

// Add adds a table's properties; schema may be nil. One property has one type: else the
// error names both places.
func (m *Merger) Add(schema *arrow.Schema, at formats.Position) error {
	if schema == nil {
		return nil
	}
	for _, f := range schema.Fields() {
		if err := m.AddField(f, at); err != nil {
			return err
		}
	}
	return nil
}

// AddField is Add for one property.
func (m *Merger) AddField(f arrow.Field, at formats.Position) error {
	i, ok := m.first[f.Name]
	if !ok {
		if m.first == nil {
			m.first = map[string]int{}
		}
		m.first[f.Name] = len(m.fields)
		m.fields, m.at = append(m.fields, f), append(m.at, at)
		return nil
	}
	if arrow.TypeEqual(m.fields[i].Type, f.Type) {
		return nil
	}
	return &formats.ParseError{
		Position: at, Found: fmt.Sprintf("property %q of type %s", f.Name, f.Type),
		Expected: fmt.Sprintf("%s, as at %s", m.fields[i].Type, m.at[i]),
	}
}

// Schema is what was added; nil when there are no properties.
func (m *Merger) Schema() *arrow.Schema {
	if m.fields == nil {
		return nil
	}
	return arrow.NewSchema(m.fields, nil)
}
