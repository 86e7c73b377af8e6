package graphtest

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/penstock-db/penstock/formats"
)

// Collect reads all of src, without closing it, and checks what a batch promises.
func Collect(ctx context.Context, src formats.Source) (*Graph, error) {
	schema := src.Schema()
	g := &Graph{NodesDeclared: schema.NodesDeclared, NodeSchema: schema.Node, EdgeSchema: schema.Edge,
		IntegerIDs: schema.IntegerIDs}
	err := src.Nodes(ctx, func(b *formats.NodeBatch) error {
		values, err := rowsOf(schema.Node, b.Props, b.ID.Len())
		for i := range values {
			n := Node{ID: b.ID.Text(i), Values: values[i]}
			if b.Labels != nil {
				n.Labels = b.Labels[i]
			}
			g.Nodes = append(g.Nodes, n)
			err = checkID(err, b.ID, i, schema.IntegerIDs)
		}
		return err
	})
	if err != nil {
		return g, err
	}
	err = src.Edges(ctx, func(b *formats.EdgeBatch) error {
		values, err := rowsOf(schema.Edge, b.Props, b.Src.Len())
		for i := range values {
			e := Edge{Src: b.Src.Text(i), Dst: b.Dst.Text(i), Values: values[i]}
			if b.Types != nil {
				e.Type = b.Types[i]
			}
			g.Edges = append(g.Edges, e)
			err = checkID(checkID(err, b.Src, i, schema.IntegerIDs), b.Dst, i, schema.IntegerIDs)
		}
		return err
	})
	return g, err
}

// checkID finds an id that is a string although it reads as an integer, or although
// integers were promised.
func checkID(err error, ids formats.IDs, i int, integers bool) error {
	_, text := ids.At(i)
	if _, isInteger := formats.ParseID(text); text != "" && (isInteger || integers) && err == nil {
		return fmt.Errorf("id %q is a string", text)
	}
	return err
}

// rowsOf turns a batch's properties into rows of values.
func rowsOf(schema *arrow.Schema, props arrow.Record, count int) ([][]any, error) {
	rows := make([][]any, count)
	if schema == nil {
		return rows, nil
	}
	for i := range rows {
		rows[i] = make([]any, schema.NumFields())
	}
	if props == nil {
		return rows, nil
	}
	if int(props.NumRows()) != count || count > formats.BatchRows {
		return nil, fmt.Errorf("%d ids, %d rows of properties", count, props.NumRows())
	}
	for c, f := range props.Schema().Fields() {
		at := schema.FieldIndices(f.Name)
		if len(at) != 1 || !arrow.TypeEqual(schema.Field(at[0]).Type, f.Type) {
			return nil, fmt.Errorf("batch has column %v, schema has %v", f, schema)
		}
		for i := range rows {
			rows[i][at[0]] = valueOf(props.Column(c), i)
		}
	}
	return rows, nil
}

func valueOf(column arrow.Array, row int) any {
	if column.IsNull(row) {
		return nil
	}
	switch column := column.(type) {
	case *array.Int64:
		return column.Value(row)
	case *array.Float64:
		return column.Value(row)
	case *array.Boolean:
		return column.Value(row)
	case *array.String:
		return string([]byte(column.Value(row)))
	case *array.Date32:
		return column.Value(row)
	case *array.Timestamp:
		return column.Value(row)
	case *array.List:
		values := []any{}
		from, to := column.ValueOffsets(row)
		for i := from; i < to; i++ {
			values = append(values, valueOf(column.ListValues(), int(i)))
		}
		return values
	}
	panic(fmt.Sprintf("a column of type %s", column.DataType()))
}
