package parquet

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/parquet-go/parquet-go"

	"github.com/penstock-db/penstock/formats/table"
)

// orderedGroup is a parquet group whose fields keep their order; parquet.Group sorts
// them by name.
type orderedGroup struct {
	parquet.Group
	names []string
}

func (g *orderedGroup) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, f := range g.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(g.names))
	for i, name := range g.names {
		fields[i] = byName[name]
	}
	return fields
}

// schemaOf is the Parquet schema of a table whose columns have property types.
func schemaOf(t *arrow.Schema) (*parquet.Schema, error) {
	root := &orderedGroup{Group: parquet.Group{}}
	for _, f := range t.Fields() {
		node, err := nodeOf(f)
		if err != nil {
			return nil, err
		}
		root.Group[f.Name] = node
		root.names = append(root.names, f.Name)
	}
	return parquet.NewSchema("table", root), nil
}

func nodeOf(f arrow.Field) (parquet.Node, error) {
	var node parquet.Node
	if list, ok := f.Type.(*arrow.ListType); ok {
		element, err := nodeOf(list.ElemField())
		if err != nil {
			return nil, err
		}
		node = parquet.List(element)
	} else if !table.IsProperty(f.Type) {
		return nil, fmt.Errorf("column %q has type %s, which cannot be written to Parquet", f.Name, f.Type)
	} else {
		node = leaves[f.Type.ID()].node(f.Type)
	}
	if f.Nullable {
		return parquet.Optional(node), nil
	}
	return node, nil
}

// leaf is how one Arrow type is stored.
type leaf struct {
	node  func(arrow.DataType) parquet.Node
	value func(column arrow.Array, row int) parquet.Value
}

var leaves = map[arrow.Type]leaf{
	arrow.INT64: {
		func(arrow.DataType) parquet.Node { return parquet.Leaf(parquet.Int64Type) },
		func(c arrow.Array, row int) parquet.Value { return parquet.Int64Value(c.(*array.Int64).Value(row)) },
	},
	arrow.FLOAT64: {
		func(arrow.DataType) parquet.Node { return parquet.Leaf(parquet.DoubleType) },
		func(c arrow.Array, row int) parquet.Value { return parquet.DoubleValue(c.(*array.Float64).Value(row)) },
	},
	arrow.BOOL: {
		func(arrow.DataType) parquet.Node { return parquet.Leaf(parquet.BooleanType) },
		func(c arrow.Array, row int) parquet.Value { return parquet.BooleanValue(c.(*array.Boolean).Value(row)) },
	},
	arrow.STRING: {
		func(arrow.DataType) parquet.Node { return parquet.Encoded(parquet.String(), &parquet.RLEDictionary) },
		func(c arrow.Array, row int) parquet.Value {
			return parquet.ByteArrayValue([]byte(c.(*array.String).Value(row)))
		},
	},
	arrow.DATE32: {
		func(arrow.DataType) parquet.Node { return parquet.Date() },
		func(c arrow.Array, row int) parquet.Value {
			return parquet.Int32Value(int32(c.(*array.Date32).Value(row)))
		},
	},
	arrow.TIMESTAMP: {
		func(t arrow.DataType) parquet.Node {
			return parquet.TimestampAdjusted(parquet.Microsecond, t.(*arrow.TimestampType).TimeZone != "")
		},
		func(c arrow.Array, row int) parquet.Value {
			return parquet.Int64Value(int64(c.(*array.Timestamp).Value(row)))
		},
	},
}
