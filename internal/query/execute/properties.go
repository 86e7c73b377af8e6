package execute

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/store"
)

// entries compiles the properties that a map gives; none where there is no map.
func (b *builder) entries(e ast.Expression) func() ([]value.Entry, error) {
	if e == nil {
		return func() ([]value.Entry, error) { return nil, nil }
	}
	properties, f := b.expression(e), b.frame
	return func() ([]value.Entry, error) {
		v, err := properties()
		if err != nil {
			return nil, err
		}
		return f.entriesOf(v)
	}
}

// entriesOf a map, node or relationship.
func (f *frame) entriesOf(v value.Value) ([]value.Entry, error) {
	switch v.Kind() {
	case value.Map:
		return v.Map(), nil
	case value.Null:
		return nil, nil
	case value.Node, value.Relationship:
		return f.propertiesOf(v)
	}
	return nil, fault.Met(fault.TypeError, "InvalidArgumentType", "properties are a Map, not the %s %s", v.Kind(), v.Text())
}

// setAll sets properties of a node or relationship.
func (f *frame) setAll(entity value.Value, entries []value.Entry) error {
	for _, e := range entries {
		if err := f.setOne(entity, f.graph.NewKey(e.Key), e.Key, e.Value); err != nil {
			return err
		}
	}
	return nil
}

// setOne sets a property, or removes it if the value is null.
func (f *frame) setOne(entity value.Value, key store.Token, name string, v value.Value) error {
	if err := value.Storable(v); err != nil {
		return &fault.Error{Kind: fault.TypeError, Detail: "InvalidPropertyType", Runtime: true, Err: err,
			Message: "property " + name + ": " + err.Error()}
	}
	if v.IsNull() {
		before, err := f.propertyOf(entity, key)
		if err != nil || before.IsNull() {
			return err
		}
	}
	f.counters.PropertiesSet++
	if entity.Kind() == value.Node {
		return f.graph.SetNodeProperty(entity.ID(), key, v)
	}
	return f.graph.SetRelationshipProperty(entity.ID(), key, v)
}

// propertyOf a node or relationship.
func (f *frame) propertyOf(entity value.Value, key store.Token) (value.Value, error) {
	if entity.Kind() == value.Node {
		return f.graph.NodeProperty(entity.ID(), key)
	}
	return f.graph.RelationshipProperty(entity.ID(), key)
}
