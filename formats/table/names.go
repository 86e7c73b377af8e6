// Package table lays a property graph out as two tables, which is how columnar
// formats hold one:
//
//	nodes          id · labels (list of strings) · one column a property
//	relationships  source · target · type · one column a property
//
//	Source ──Write──▶ Arrow records ──▶ a format's Sink
//	a format's Arrow records ──Layout.Nodes, Layout.Edges──▶ batches
//
// Memory: one batch, laid out.
package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats"
)

// Names are what the columns that are no properties are called.
type Names struct {
	ID, Labels           string
	Source, Target, Type string
}

var (
	// Plain names are written when no property has one of them.
	Plain = Names{"id", "labels", "source", "target", "type"}
	// Neo4j names are written when a property has a plain one.
	Neo4j = Names{":ID", ":LABEL", ":START_ID", ":END_ID", ":TYPE"}

	// accepted is in the order in which a table's columns are searched for. The
	// unmistakable names come first, so that what is written is read back as it was.
	accepted = []Names{
		Neo4j,
		{"~id", "~label", "~from", "~to", "~label"},
		Plain,
		{"id", "label", "src", "dst", "label"},
		{"id", "label", "from", "to", "label"},
	}
)

func (n Names) list() []string { return []string{n.ID, n.Labels, n.Source, n.Target, n.Type} }

// namesFor picks the names with which properties cannot be mistaken for structure.
func namesFor(properties *arrow.Schema) (Names, error) {
	names := Plain
	if properties == nil {
		return names, nil
	}
	for _, f := range properties.Fields() {
		if slices.Contains(Neo4j.list(), f.Name) {
			return names, fmt.Errorf("a property cannot be called %q in this format: rename it", f.Name)
		}
		if reserved(f.Name) {
			names = Neo4j
		}
	}
	return names, nil
}

func reserved(property string) bool {
	return slices.ContainsFunc(accepted, func(n Names) bool {
		return slices.Contains(n.list(), strings.ToLower(property))
	})
}

// Schemas are the two tables of a graph with these properties. Ids are integers when
// the schema promises so, else strings.
func Schemas(s formats.Schema) (nodes, edges *arrow.Schema, err error) {
	id := arrow.DataType(arrow.BinaryTypes.String)
	if s.IntegerIDs {
		id = arrow.PrimitiveTypes.Int64
	}
	names, err := namesFor(s.Node)
	if err != nil {
		return nil, nil, err
	}
	nodes, err = withProperties(s.Node,
		arrow.Field{Name: names.ID, Type: id},
		arrow.Field{Name: names.Labels, Type: arrow.ListOfNonNullable(arrow.BinaryTypes.String)})
	if err != nil {
		return nil, nil, err
	}
	if names, err = namesFor(s.Edge); err != nil {
		return nil, nil, err
	}
	edges, err = withProperties(s.Edge,
		arrow.Field{Name: names.Source, Type: id},
		arrow.Field{Name: names.Target, Type: id},
		arrow.Field{Name: names.Type, Type: arrow.BinaryTypes.String, Nullable: true})
	return nodes, edges, err
}

func withProperties(properties *arrow.Schema, structure ...arrow.Field) (*arrow.Schema, error) {
	if properties == nil {
		return arrow.NewSchema(structure, nil), nil
	}
	for _, f := range properties.Fields() {
		if !IsProperty(f.Type) {
			return nil, fmt.Errorf("property %q has type %s, which cannot be written", f.Name, f.Type)
		}
		structure = append(structure, arrow.Field{Name: f.Name, Type: f.Type, Nullable: true})
	}
	return arrow.NewSchema(structure, nil), nil
}

// IsProperty is true for the types that properties have: Int64, Float64, Boolean,
// String, Date32, Timestamp in microseconds with the zone UTC or none, and lists of them.
func IsProperty(t arrow.DataType) bool {
	if list, ok := t.(*arrow.ListType); ok {
		_, nested := list.Elem().(*arrow.ListType)
		return !nested && IsProperty(list.Elem())
	}
	if stamp, ok := t.(*arrow.TimestampType); ok {
		return stamp.Unit == arrow.Microsecond && (stamp.TimeZone == "" || stamp.TimeZone == "UTC")
	}
	switch t.ID() {
	case arrow.INT64, arrow.FLOAT64, arrow.BOOL, arrow.STRING, arrow.DATE32:
		return true
	}
	return false
}
