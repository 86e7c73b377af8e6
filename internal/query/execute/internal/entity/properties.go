package entity

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/store"
)

// Entries of a map, node or relationship; null has none.
func Entries(f *frame.Frame, v value.Value) ([]value.Entry, error) {
	switch v.Kind() {
	case value.Map:
		return v.Map(), nil
	case value.Null:
		return nil, nil
	case value.Node, value.Relationship:
		return Properties(f.Graph, v)
	}
	return nil, fault.Met(fault.TypeError, "InvalidArgumentType", "properties are a Map, not the %s %s", v.Kind(),
		v.Text())
}

// Properties of a node or relationship, by ascending key.
func Properties(g frame.Graph, v value.Value) ([]value.Entry, error) {
	var entries []value.Entry
	each := func(key store.Token, v value.Value) bool {
		entries = append(entries, value.Entry{Key: g.KeyName(key), Value: v})
		return true
	}
	var err error
	if v.Kind() == value.Node {
		err = g.NodeProperties(v.ID(), each)
	} else {
		err = g.RelationshipProperties(v.ID(), each)
	}
	return value.OfEntries(entries).Map(), err
}

// Property of a node or relationship; null where it has none of that key.
func Property(g frame.Graph, entity value.Value, key store.Token) (value.Value, error) {
	if entity.Kind() == value.Node {
		return g.NodeProperty(entity.ID(), key)
	}
	return g.RelationshipProperty(entity.ID(), key)
}

// Named is a property by its name; null where the graph does not know the name.
func Named(g frame.Graph, entity value.Value, key *frame.Name) (value.Value, error) {
	token, ok := key.Token()
	if !ok {
		if token, ok = key.Find(g.Key); !ok {
			return value.Value{}, nil
		}
	}
	return Property(g, entity, token)
}
