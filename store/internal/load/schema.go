package load

import (
	"errors"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// FieldsOf are the fields of a schema; none of nil.
func FieldsOf(s *arrow.Schema) []arrow.Field {
	if s == nil {
		return nil
	}
	return s.Fields()
}

// directed tells whether edges have a direction; the options overrule the source.
func directed(schema formats.Schema, opts Options) bool {
	if opts.Orientation != formats.OrientationUnknown {
		return opts.Orientation != formats.Undirected
	}
	return schema.Orientation != formats.Undirected
}

// checkSchema refuses properties that cannot be stored.
func checkSchema(mem memory.Allocator, nodes, edges []arrow.Field) error {
	if err := errors.Join(checkNames(nodes), checkNames(edges)); err != nil {
		return err
	}
	for _, field := range nodes {
		if !arrays.Storable(field.Type) {
			return arrays.Unstorable(field.Name, field.Type)
		}
	}
	return checkEdgeTypes(mem, edges)
}

// checkEdgeTypes asks formats/chunk, by way of a chunk without edges.
func checkEdgeTypes(mem memory.Allocator, fields []arrow.Field) error {
	var columns []chunk.EdgeColumn
	for _, field := range fields {
		none := array.MakeArrayOfNull(mem, field.Type, 0)
		defer none.Release()
		columns = append(columns, chunk.EdgeColumn{Name: field.Name, Values: none})
	}
	c, err := chunk.FromCSR(mem, chunk.Meta{}, nil, []int32{0}, nil, columns)
	if err == nil {
		c.Release()
	}
	return err
}

func checkNames(fields []arrow.Field) error {
	seen := map[string]bool{}
	for _, field := range fields {
		switch {
		case field.Name == "":
			return &failure.PropertyError{Name: field.Name, Reason: "needs a name"}
		case field.Name == manifest.TypeColumn:
			return &failure.PropertyError{Name: field.Name, Reason: "is the name of the relationship type"}
		case seen[field.Name]:
			return &failure.PropertyError{Name: field.Name, Reason: "is given twice"}
		}
		seen[field.Name] = true
	}
	return nil
}

// edgeProperties describe the columns of edges.
func edgeProperties(fields []arrow.Field) (properties []manifest.Property, err error) {
	for _, field := range fields {
		p, err := manifest.NewProperty(field)
		if err != nil {
			return nil, err
		}
		properties = append(properties, p)
	}
	return properties, nil
}
