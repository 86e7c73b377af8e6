package write

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/entity"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/store"
)

// setAll sets properties of a node or relationship.
func setAll(f *frame.Frame, of value.Value, entries []value.Entry) error {
	for _, e := range entries {
		if err := setOne(f, of, f.Graph.NewKey(e.Key), e.Key, e.Value); err != nil {
			return err
		}
	}
	return nil
}

// setOne sets a property, or removes it if the value is null.
func setOne(f *frame.Frame, of value.Value, key store.Token, name string, v value.Value) error {
	if err := value.Storable(v); err != nil {
		return &fault.Error{Kind: fault.TypeError, Detail: "InvalidPropertyType", Runtime: true, Err: err,
			Message: "property " + name + ": " + err.Error()}
	}
	if v.IsNull() {
		before, err := entity.Property(f.Graph, of, key)
		if err != nil || before.IsNull() {
			return err
		}
	}
	f.Counted.PropertiesSet++
	if of.Kind() == value.Node {
		return f.Graph.SetNodeProperty(of.ID(), key, v)
	}
	return f.Graph.SetRelationshipProperty(of.ID(), key, v)
}
