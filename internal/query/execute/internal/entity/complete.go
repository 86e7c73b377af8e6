// Package entity reads nodes and relationships, which rows hold by their ids: their properties and
// labels, and all that they have where a row is given out.
package entity

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/execute/internal/budget"
	"github.com/penstock-db/penstock/internal/query/execute/internal/frame"
)

// Complete is the value with nodes and relationships made whole.
func Complete(f *frame.Frame, v value.Value) (value.Value, error) {
	switch v.Kind() {
	case value.Node:
		return completeNode(f, v)
	case value.Relationship:
		return completeRelationship(f, v)
	case value.List:
		elements, err := completeAll(f, v.List())
		return value.OfList(elements), err
	case value.Map:
		return completeMap(f, v.Map())
	case value.Path:
		p := v.Path()
		nodes, err := completeAll(f, p.Nodes)
		if err != nil {
			return v, err
		}
		rels, err := completeAll(f, p.Relationships)
		return value.OfPath(&value.PathContent{Nodes: nodes, Relationships: rels}), err
	}
	return v, nil
}

func completeAll(f *frame.Frame, values []value.Value) ([]value.Value, error) {
	if !slices.ContainsFunc(values, composed) {
		return values, nil
	}
	if err := f.Budget.Transient(budget.ValueBytes * int64(len(values))); err != nil {
		return nil, err
	}
	all := make([]value.Value, len(values))
	for i, v := range values {
		whole, err := Complete(f, v)
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

func completeMap(f *frame.Frame, entries []value.Entry) (value.Value, error) {
	if err := f.Budget.Transient(budget.EntryBytes * int64(len(entries))); err != nil {
		return value.Value{}, err
	}
	all := make([]value.Entry, len(entries))
	for i, e := range entries {
		v, err := Complete(f, e.Value)
		if err != nil {
			return value.Value{}, err
		}
		all[i] = value.Entry{Key: e.Key, Value: v}
	}
	return value.OfEntries(all), nil
}

// completeNode gives what a node has; one that was deleted has nothing any more.
func completeNode(f *frame.Frame, v value.Value) (value.Value, error) {
	if v.Node() != nil {
		return v, nil
	}
	content := &value.NodeContent{ID: v.ID()}
	if !f.Graph.NodeExists(v.ID()) {
		return value.OfNode(content), nil
	}
	var err error
	if content.Labels, err = Labels(f, v.ID()); err != nil {
		return v, err
	}
	if content.Properties, err = Properties(f.Graph, v); err != nil {
		return v, err
	}
	whole := value.OfNode(content)
	return whole, f.Budget.Accrue(whole.Size())
}

func completeRelationship(f *frame.Frame, v value.Value) (value.Value, error) {
	if v.Relationship() != nil {
		return v, nil
	}
	start, end, typ, err := f.Ends(v.ID())
	if err != nil {
		return v, err
	}
	content := &value.RelationshipContent{ID: v.ID(), Start: start, End: end, Type: f.Graph.TypeName(typ)}
	if f.Graph.RelationshipExists(v.ID()) {
		if content.Properties, err = Properties(f.Graph, v); err != nil {
			return v, err
		}
	}
	whole := value.OfRelationship(content)
	return whole, f.Budget.Accrue(whole.Size())
}

// Labels of a node, ascending.
func Labels(f *frame.Frame, node uint64) ([]string, error) {
	tokens, err := f.Graph.LabelsOf(node, nil)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(tokens))
	for i, token := range tokens {
		names[i] = f.Graph.LabelName(token)
	}
	slices.Sort(names)
	return names, nil
}
