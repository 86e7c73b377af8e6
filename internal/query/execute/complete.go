package execute

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store"
)

// complete is the value with nodes and relationships made whole.
func (f *frame) complete(v value.Value) (value.Value, error) {
	switch v.Kind() {
	case value.Node:
		return f.completeNode(v)
	case value.Relationship:
		return f.completeRelationship(v)
	case value.List:
		elements, err := f.completeAll(v.List())
		return value.OfList(elements), err
	case value.Map:
		return f.completeMap(v.Map())
	case value.Path:
		p := v.Path()
		nodes, err := f.completeAll(p.Nodes)
		if err != nil {
			return v, err
		}
		rels, err := f.completeAll(p.Relationships)
		return value.OfPath(&value.PathContent{Nodes: nodes, Relationships: rels}), err
	}
	return v, nil
}

func (f *frame) completeAll(values []value.Value) ([]value.Value, error) {
	if !slices.ContainsFunc(values, composed) {
		return values, nil
	}
	if err := f.transient(valueBytes * int64(len(values))); err != nil {
		return nil, err
	}
	all := make([]value.Value, len(values))
	for i, v := range values {
		whole, err := f.complete(v)
		if err != nil {
			return nil, err
		}
		all[i] = whole
	}
	return all, nil
}

// composed tells whether there can be a node or relationship in a value.
func composed(v value.Value) bool {
	switch v.Kind() {
	case value.Node, value.Relationship, value.Path, value.List, value.Map:
		return true
	}
	return false
}

func (f *frame) completeMap(entries []value.Entry) (value.Value, error) {
	if err := f.transient(entryBytes * int64(len(entries))); err != nil {
		return value.Value{}, err
	}
	all := make([]value.Entry, len(entries))
	for i, e := range entries {
		v, err := f.complete(e.Value)
		if err != nil {
			return value.Value{}, err
		}
		all[i] = value.Entry{Key: e.Key, Value: v}
	}
	return value.OfEntries(all), nil
}

// completeNode gives what a node has; one that was deleted has nothing any more.
func (f *frame) completeNode(v value.Value) (value.Value, error) {
	if v.Node() != nil {
		return v, nil
	}
	content := &value.NodeContent{ID: v.ID()}
	if !f.graph.NodeExists(v.ID()) {
		return value.OfNode(content), nil
	}
	var err error
	if content.Labels, err = f.labelsOf(v.ID()); err != nil {
		return v, err
	}
	if content.Properties, err = f.propertiesOf(v); err != nil {
		return v, err
	}
	whole := value.OfNode(content)
	return whole, f.accrue(whole.Size())
}

func (f *frame) completeRelationship(v value.Value) (value.Value, error) {
	if v.Relationship() != nil {
		return v, nil
	}
	start, end, typ, err := f.ends(v.ID())
	if err != nil {
		return v, err
	}
	content := &value.RelationshipContent{ID: v.ID(), Start: start, End: end, Type: f.graph.TypeName(typ)}
	if f.graph.RelationshipExists(v.ID()) {
		if content.Properties, err = f.propertiesOf(v); err != nil {
			return v, err
		}
	}
	whole := value.OfRelationship(content)
	return whole, f.accrue(whole.Size())
}

// labelsOf a node, ascending.
func (f *frame) labelsOf(node uint64) ([]string, error) {
	tokens, err := f.graph.LabelsOf(node, nil)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(tokens))
	for i, token := range tokens {
		names[i] = f.graph.LabelName(token)
	}
	slices.Sort(names)
	return names, nil
}

// propertiesOf a node or relationship, by ascending key.
func (f *frame) propertiesOf(v value.Value) ([]value.Entry, error) {
	var entries []value.Entry
	each := func(key store.Token, v value.Value) bool {
		entries = append(entries, value.Entry{Key: f.graph.KeyName(key), Value: v})
		return true
	}
	var err error
	if v.Kind() == value.Node {
		err = f.graph.NodeProperties(v.ID(), each)
	} else {
		err = f.graph.RelationshipProperties(v.ID(), each)
	}
	return value.OfEntries(entries).Map(), err
}
