package table

import (
	"context"
	"errors"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
)

// Names of the two tables, and of their files without ending.
const (
	Nodes         = "nodes"
	Relationships = "relationships"
)

// Sink takes the records of one table.
type Sink interface {
	Write(arrow.Record) error
	Close() error
}

// Write writes a graph as two tables into sinks that open makes. A graph that neither
// declares nodes nor has any before its edges gets no table of nodes: reading it back,
// edges bring their end points into being again.
func Write(ctx context.Context, src formats.Source, mem memory.Allocator,
	open func(table string, schema *arrow.Schema) (Sink, error)) error {
	nodes, edges, err := Schemas(src.Schema())
	if err != nil {
		return err
	}
	err = writeNodes(ctx, src, &layer{mem: mem, schema: nodes, table: Nodes, open: open})
	if err != nil {
		return err
	}
	return writeEdges(ctx, src, &layer{mem: mem, schema: edges, table: Relationships, open: open})
}

func writeNodes(ctx context.Context, src formats.Source, l *layer) error {
	err := src.Nodes(ctx, func(b *formats.NodeBatch) error {
		id, err := idColumn(l.mem, l.schema.Field(0), b.ID)
		if err != nil {
			return err
		}
		return l.write(b.Props, id, labelColumn(l.mem, b.Labels, b.ID.Len()))
	})
	if err == nil && src.Schema().NodesDeclared {
		err = l.start()
	}
	return errors.Join(err, l.close())
}

func writeEdges(ctx context.Context, src formats.Source, l *layer) error {
	err := src.Edges(ctx, func(b *formats.EdgeBatch) error {
		source, err := idColumn(l.mem, l.schema.Field(0), b.Src)
		if err != nil {
			return err
		}
		target, err := idColumn(l.mem, l.schema.Field(1), b.Dst)
		if err != nil {
			source.Release()
			return err
		}
		return l.write(b.Props, source, target, typeColumn(l.mem, b.Types, b.Src.Len()))
	})
	if err == nil {
		err = l.start()
	}
	return errors.Join(err, l.close())
}

// layer writes one table. Its sink is opened by the first record.
type layer struct {
	mem    memory.Allocator
	schema *arrow.Schema
	table  string
	open   func(table string, schema *arrow.Schema) (Sink, error)
	sink   Sink
}

func (l *layer) start() (err error) {
	if l.sink == nil {
		l.sink, err = l.open(l.table, l.schema)
	}
	return err
}

func (l *layer) close() error {
	if l.sink == nil {
		return nil
	}
	return l.sink.Close()
}

// write takes the columns of structure over and adds the properties.
func (l *layer) write(props arrow.Record, structure ...arrow.Array) error {
	columns := structure
	rows := structure[0].Len()
	for _, field := range l.schema.Fields()[len(structure):] {
		columns = append(columns, propertyColumn(l.mem, props, field, rows))
	}
	record := array.NewRecord(l.schema, columns, int64(rows))
	defer record.Release()
	for _, c := range columns {
		c.Release()
	}
	if err := l.start(); err != nil {
		return err
	}
	return l.sink.Write(record)
}

// propertyColumn is the column of a batch, or nulls when the batch has none such.
func propertyColumn(mem memory.Allocator, props arrow.Record, field arrow.Field, rows int) arrow.Array {
	if props != nil {
		for _, i := range props.Schema().FieldIndices(field.Name) {
			props.Column(i).Retain()
			return props.Column(i)
		}
	}
	return array.MakeArrayOfNull(mem, field.Type, rows)
}

// errMixedIDs means that a source broke Schema.IntegerIDs.
var errMixedIDs = errors.New("a graph that promised integer ids has a string id")

func idColumn(mem memory.Allocator, field arrow.Field, ids formats.IDs) (arrow.Array, error) {
	if field.Type.ID() == arrow.STRING {
		b := array.NewStringBuilder(mem)
		defer b.Release()
		for i := range ids.Len() {
			b.Append(ids.Text(i))
		}
		return b.NewArray(), nil
	}
	b := array.NewInt64Builder(mem)
	defer b.Release()
	b.Reserve(ids.Len())
	for i := range ids.Len() {
		n, str := ids.At(i)
		if str != "" {
			return nil, errMixedIDs
		}
		b.UnsafeAppend(n)
	}
	return b.NewArray(), nil
}

func labelColumn(mem memory.Allocator, labels []string, rows int) arrow.Array {
	b := array.NewListBuilderWithField(mem, arrow.ListOfNonNullable(arrow.BinaryTypes.String).ElemField())
	defer b.Release()
	names := b.ValueBuilder().(*array.StringBuilder)
	for row := range rows {
		b.Append(true)
		if labels == nil || labels[row] == "" {
			continue
		}
		for name := range strings.SplitSeq(labels[row], ";") {
			names.Append(name)
		}
	}
	return b.NewArray()
}

func typeColumn(mem memory.Allocator, types []string, rows int) arrow.Array {
	b := array.NewStringBuilder(mem)
	defer b.Release()
	for row := range rows {
		if types == nil || types[row] == "" {
			b.AppendNull()
		} else {
			b.Append(types[row])
		}
	}
	return b.NewArray()
}
