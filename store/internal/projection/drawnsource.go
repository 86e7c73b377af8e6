package projection

import (
	"context"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/arrays"
)

// fields are the fields of columns, by what values these have.
func fields(columns []Column) (all []arrow.Field) {
	for _, c := range columns {
		all = append(all, arrays.FieldFor(c.Name, slices.DeleteFunc(slices.Clone(c.Values), value.Value.IsNull)))
	}
	return all
}

// added is a column of vertices on its way, in ascending order of these.
type added struct {
	Added
	field arrow.Field
	next  int // the first value that is not given out
}

// newAdded are what is added.
func newAdded(all []Added) (columns []*added) {
	for _, a := range all {
		columns = append(columns, &added{Added: a, field: fields([]Column{a.Column})[0]})
	}
	return columns
}

// of is the column's value of a vertex, which comes after those that were asked for.
func (a *added) of(vertex uint32) value.Value {
	for a.next < len(a.Vertices) && a.Vertices[a.next] < vertex {
		a.next++
	}
	if a.next < len(a.Vertices) && a.Vertices[a.next] == vertex {
		return a.Values[a.next]
	}
	return value.Value{}
}

// replaced tells whether what is added takes the place of a property of the graph.
func (s *source) replaced(name string) bool {
	return slices.ContainsFunc(s.added, func(a *added) bool { return a.Name == name })
}

// nodeSchema is the graph's, with what is added.
func (s *source) nodeSchema(graph *arrow.Schema) *arrow.Schema {
	if len(s.added) == 0 {
		return graph
	}
	var all []arrow.Field
	if graph != nil {
		for _, f := range graph.Fields() {
			if !s.replaced(f.Name) {
				all = append(all, f)
			}
		}
	}
	for _, a := range s.added {
		all = append(all, a.field)
	}
	return arrow.NewSchema(all, nil)
}

// withAdded is a record of vertices with what is added to them.
func (s *source) withAdded(record arrow.Record, vertices []uint32) (arrow.Record, error) {
	if len(s.added) == 0 {
		return record, nil
	}
	defer release(record)
	var columns []arrow.Array
	defer func() { arrays.ReleaseArrays(columns) }()
	var graph *arrow.Schema
	if record != nil {
		graph = record.Schema()
		for i, values := range record.Columns() {
			if !s.replaced(record.ColumnName(i)) {
				values.Retain()
				columns = append(columns, values)
			}
		}
	}
	for _, a := range s.added {
		values := make([]value.Value, len(vertices))
		for i, v := range vertices {
			values[i] = a.of(v)
		}
		column, err := arrays.Of(s.mem, a.field, values)
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	return array.NewRecord(s.nodeSchema(graph), columns, int64(len(vertices))), nil
}

// drawn yields the relationships that a statement has drawn up, of the types that are asked for.
func (s *source) drawn(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	d, all, takes := s.part.Drawn, fields(s.part.Drawn.Relationships), s.part.takes()
	where := func(int) formats.Position {
		return formats.Position{File: "projection of " + s.part.whole.Manifest().Graph}
	}
	for from := 0; from < len(d.From); from += formats.BatchRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := &formats.EdgeBatch{Where: where}
		var rows []int
		for i := from; i < min(from+formats.BatchRows, len(d.From)); i++ {
			source, target := s.number(int64(d.Vertices[d.From[i]])), s.number(int64(d.Vertices[d.To[i]]))
			if source == outside || target == outside || !takes(typeOf(d.Types, i)) {
				continue
			}
			if s.part.Orientation == Reverse {
				source, target = target, source
			}
			rows = append(rows, i)
			b.SrcNumbers, b.DstNumbers = append(b.SrcNumbers, source), append(b.DstNumbers, target)
			b.Src.AppendRow(s.ids, int(source))
			b.Dst.AppendRow(s.ids, int(target))
			if d.Types != nil {
				b.Types = append(b.Types, d.Types[i])
			}
		}
		if len(rows) == 0 {
			continue
		}
		if err := s.drawnBatch(b, d.Relationships, all, rows, yield); err != nil {
			return err
		}
	}
	return nil
}

// drawnBatch yields a batch with the properties of its rows.
func (s *source) drawnBatch(b *formats.EdgeBatch, properties []Column, all []arrow.Field, rows []int,
	yield func(*formats.EdgeBatch) error) error {
	if len(all) == 0 {
		return s.own(b, yield)
	}
	var columns []arrow.Array
	defer func() { arrays.ReleaseArrays(columns) }()
	for i, p := range properties {
		values := make([]value.Value, len(rows))
		for k, row := range rows {
			values[k] = p.Values[row]
		}
		column, err := arrays.Of(s.mem, all[i], values)
		if err != nil {
			return err
		}
		columns = append(columns, column)
	}
	b.Props = array.NewRecord(arrow.NewSchema(all, nil), columns, int64(len(rows)))
	defer b.Props.Release()
	return s.own(b, yield)
}
