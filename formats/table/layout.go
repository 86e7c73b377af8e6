package table

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats"
)

// Expected says in an error which columns Find looks for.
const Expected = `a column "id" for nodes, or "source" and "target" for relationships`

// Layout says which columns of a table make the structure; the others are properties.
// Columns are indices into the schema; -1 is none.
type Layout struct {
	IsEdges              bool
	ID, Labels           int
	Source, Target, Type int
	Properties           []int
}

// Find looks for the structure in a table's columns. Plain names may have any case.
// It is false for a table of neither nodes nor relationships.
func Find(schema *arrow.Schema) (*Layout, bool) {
	for _, names := range accepted {
		if source, target := find(schema, names.Source), find(schema, names.Target); source >= 0 && target >= 0 {
			l := &Layout{IsEdges: true, ID: -1, Labels: -1, Source: source, Target: target}
			l.Type = findTyped(schema, names.Type, arrow.STRING)
			l.addProperties(schema)
			return l, true
		}
	}
	for _, names := range accepted {
		if id := find(schema, names.ID); id >= 0 {
			l := &Layout{ID: id, Source: -1, Target: -1, Type: -1}
			l.Labels = findTyped(schema, names.Labels, arrow.STRING, arrow.LIST)
			if l.Labels < 0 && names == Plain {
				l.Labels = findTyped(schema, "label", arrow.STRING, arrow.LIST)
			}
			l.addProperties(schema)
			return l, true
		}
	}
	return nil, false
}

func find(schema *arrow.Schema, name string) int {
	return slices.IndexFunc(schema.Fields(), func(f arrow.Field) bool { return strings.EqualFold(f.Name, name) })
}

// findTyped is find for a column of one of these types; a list must be one of strings.
func findTyped(schema *arrow.Schema, name string, types ...arrow.Type) int {
	i := find(schema, name)
	if i < 0 || !slices.Contains(types, schema.Field(i).Type.ID()) {
		return -1
	}
	if list, ok := schema.Field(i).Type.(*arrow.ListType); ok && list.Elem().ID() != arrow.STRING {
		return -1
	}
	return i
}

func (l *Layout) addProperties(schema *arrow.Schema) {
	for i := range schema.NumFields() {
		if !slices.Contains([]int{l.ID, l.Labels, l.Source, l.Target, l.Type}, i) {
			l.Properties = append(l.Properties, i)
		}
	}
}

// PropertySchema is the part of the table's schema that is properties; nil when there are none.
func (l *Layout) PropertySchema(schema *arrow.Schema) *arrow.Schema {
	if len(l.Properties) == 0 {
		return nil
	}
	fields := make([]arrow.Field, len(l.Properties))
	for i, column := range l.Properties {
		f := schema.Field(column)
		fields[i] = arrow.Field{Name: f.Name, Type: f.Type, Nullable: true}
	}
	return arrow.NewSchema(fields, nil)
}

// BadValue is a value that a graph cannot have.
type BadValue struct {
	Row, Column     int
	Found, Expected string
}

func (e *BadValue) Error() string { return e.Found + "; expected " + e.Expected }

// Nodes makes the batch of a record of this layout. label is for rows of a table
// without labels. The caller releases Props, when not nil.
func (l *Layout) Nodes(record arrow.Record, label string) (*formats.NodeBatch, error) {
	b := &formats.NodeBatch{}
	if err := appendIDs(&b.ID, record, l.ID); err != nil {
		return nil, err
	}
	switch {
	case l.Labels >= 0:
		b.Labels = labels(record.Column(l.Labels))
	case label != "":
		b.Labels = slices.Repeat([]string{label}, int(record.NumRows()))
	}
	var err error
	b.Props, err = l.props(record)
	return b, err
}

// Edges makes the batch of a record of this layout. label is for rows of a table
// without types. The caller releases Props, when not nil.
func (l *Layout) Edges(record arrow.Record, label string) (*formats.EdgeBatch, error) {
	b := &formats.EdgeBatch{}
	if err := appendIDs(&b.Src, record, l.Source); err != nil {
		return nil, err
	}
	if err := appendIDs(&b.Dst, record, l.Target); err != nil {
		return nil, err
	}
	switch {
	case l.Type >= 0:
		b.Types = labels(record.Column(l.Type))
	case label != "":
		b.Types = slices.Repeat([]string{label}, int(record.NumRows()))
	}
	var err error
	b.Props, err = l.props(record)
	return b, err
}

func (l *Layout) props(record arrow.Record) (arrow.Record, error) {
	schema := l.PropertySchema(record.Schema())
	if schema == nil {
		return nil, nil
	}
	columns := make([]arrow.Array, len(l.Properties))
	for i, c := range l.Properties {
		columns[i] = record.Column(c)
		if row := firstNaN(columns[i]); row >= 0 {
			return nil, &BadValue{Row: row, Column: c, Found: "NaN", Expected: "a number"}
		}
	}
	return array.NewRecord(schema, columns, record.NumRows()), nil
}

func firstNaN(column arrow.Array) int {
	floats, ok := column.(*array.Float64)
	if !ok {
		return -1
	}
	for row, x := range floats.Float64Values() {
		if math.IsNaN(x) && floats.IsValid(row) {
			return row
		}
	}
	return -1
}

// appendIDs reads integer and string columns as formats.ParseID does: 7 and "7" are one id.
func appendIDs(ids *formats.IDs, record arrow.Record, column int) error {
	values := record.Column(column)
	for row := range values.Len() {
		switch values := values.(type) {
		case *array.Int64:
			if n := values.Value(row); values.IsValid(row) && n >= 0 {
				ids.AppendInt(n)
				continue
			}
		case *array.String:
			if id := values.Value(row); values.IsValid(row) && id != "" {
				ids.Append(strings.Clone(id))
				continue
			}
		}
		return badID(values, row, column)
	}
	return nil
}

func badID(values arrow.Array, row, column int) error {
	found := "an id of type " + values.DataType().String()
	if values.IsNull(row) {
		found = "no id"
	} else if n, ok := values.(*array.Int64); ok {
		found = "the id " + strconv.FormatInt(n.Value(row), 10)
	} else if values.DataType().ID() == arrow.STRING {
		found = "an empty id"
	}
	return &BadValue{row, column, found, "an integer from 0 to 9223372036854775807 or text"}
}

// labels reads a column of strings, or of lists of strings, which it joins by ';'.
func labels(column arrow.Array) []string {
	rows := make([]string, column.Len())
	for row := range rows {
		switch {
		case column.IsNull(row):
		case column.DataType().ID() == arrow.LIST:
			rows[row] = joinList(column.(*array.List), row)
		default:
			rows[row] = strings.Clone(column.(*array.String).Value(row))
		}
	}
	return rows
}

func joinList(lists *array.List, row int) string {
	names := lists.ListValues().(*array.String)
	from, to := lists.ValueOffsets(row)
	if to == from+1 {
		return strings.Clone(names.Value(int(from)))
	}
	var parts []string
	for i := from; i < to; i++ {
		parts = append(parts, names.Value(int(i)))
	}
	return strings.Join(parts, ";")
}
