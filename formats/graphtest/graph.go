// Package graphtest holds what tests of whole formats share: a property graph as plain
// Go values, random ones, and the way between them and a formats.Source.
//
//	Random ──▶ Graph ──Source──▶ a format's writer ──▶ files ──▶ its reader ──Collect──▶ Graph ──Diff──▶ ""
package graphtest

import (
	"fmt"
	"reflect"

	"github.com/apache/arrow/go/v15/arrow"
)

// Graph is a property graph. Values are in the order of the schema's fields: nil,
// int64, float64, bool, string, arrow.Date32, arrow.Timestamp, or []any of them.
type Graph struct {
	NodesDeclared        bool
	NodeSchema           *arrow.Schema // nil: no properties
	EdgeSchema           *arrow.Schema
	Nodes                []Node
	Edges                []Edge
	IntegerIDs           bool
	NodeLabels, EdgeType bool // batches have labels and types
}

// Node is one node; Labels are joined by ';'.
type Node struct {
	ID, Labels string
	Values     []any
}

// Edge is one edge.
type Edge struct {
	Src, Dst, Type string
	Values         []any
}

// Diff says where two graphs differ first; "" when they do not. What is only promised,
// not content, may differ.
func Diff(want, got *Graph) string {
	switch {
	case want.NodesDeclared != got.NodesDeclared:
		return fmt.Sprintf("nodes declared: want %v, got %v", want.NodesDeclared, got.NodesDeclared)
	case !sameFields(want.NodeSchema, got.NodeSchema):
		return fmt.Sprintf("node properties: want %v, got %v", want.NodeSchema, got.NodeSchema)
	case !sameFields(want.EdgeSchema, got.EdgeSchema):
		return fmt.Sprintf("edge properties: want %v, got %v", want.EdgeSchema, got.EdgeSchema)
	case len(want.Nodes) != len(got.Nodes) || len(want.Edges) != len(got.Edges):
		return fmt.Sprintf("want %d nodes and %d edges, got %d and %d", len(want.Nodes), len(want.Edges), len(got.Nodes),
			len(got.Edges))
	}
	for i := range want.Nodes {
		if !reflect.DeepEqual(want.Nodes[i], got.Nodes[i]) {
			return fmt.Sprintf("node %d: want %#v, got %#v", i, want.Nodes[i], got.Nodes[i])
		}
	}
	for i := range want.Edges {
		if !reflect.DeepEqual(want.Edges[i], got.Edges[i]) {
			return fmt.Sprintf("edge %d: want %#v, got %#v", i, want.Edges[i], got.Edges[i])
		}
	}
	return ""
}

func sameFields(want, got *arrow.Schema) bool {
	if want == nil || got == nil {
		return want == nil && got == nil
	}
	if want.NumFields() != got.NumFields() {
		return false
	}
	for i, f := range want.Fields() {
		if f.Name != got.Field(i).Name || !arrow.TypeEqual(f.Type, got.Field(i).Type) {
			return false
		}
	}
	return true
}
