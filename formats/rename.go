package formats

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
)

// WeightColumn is the edge property that weighted algorithms read when not told another.
const WeightColumn = "weight"

// RenameEdgeColumn is source with the edge property old called by another name. It
// fails when source has no property old, or one that has the new name already.
func RenameEdgeColumn(source Source, old, name string) (Source, error) {
	schema := source.Schema()
	edge, err := renameField(schema.Edge, old, name)
	if err != nil {
		return nil, err
	}
	schema.Edge = edge
	return &renamed{Source: source, schema: schema, old: old, name: name}, nil
}

type renamed struct {
	Source
	schema    Schema
	old, name string
}

func (r *renamed) Held() int64 { return Held(r.Source) }

func (r *renamed) Schema() Schema { return r.schema }

func (r *renamed) Edges(ctx context.Context, yield func(*EdgeBatch) error) error {
	return r.Source.Edges(ctx, func(batch *EdgeBatch) error {
		if batch.Props == nil || !batch.Props.Schema().HasField(r.old) {
			return yield(batch)
		}
		schema, err := renameField(batch.Props.Schema(), r.old, r.name)
		if err != nil {
			return err
		}
		props := array.NewRecord(schema, batch.Props.Columns(), batch.Props.NumRows())
		defer props.Release()
		edges := *batch
		edges.Props = props
		return yield(&edges)
	})
}

func renameField(schema *arrow.Schema, old, name string) (*arrow.Schema, error) {
	var fields []arrow.Field
	if schema != nil {
		fields = slices.Clone(schema.Fields())
	}
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Name
	}
	at := slices.Index(names, old)
	if at < 0 {
		return nil, fmt.Errorf("edges have no column %q; they have: %s", old, strings.Join(names, ", "))
	}
	if slices.Contains(names, name) {
		return nil, fmt.Errorf("edges already have a column %q: cannot call %q so", name, old)
	}
	fields[at].Name = name
	return arrow.NewSchema(fields, nil), nil
}
