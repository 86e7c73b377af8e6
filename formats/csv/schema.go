package csv

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats"
)

// properties are the property columns of a header, in its order; nil when there are none.
func (h *header) properties() *arrow.Schema {
	var fields []arrow.Field
	for _, c := range h.columns {
		if c.name != "" {
			fields = append(fields, arrow.Field{Name: c.name, Type: c.dataType(), Nullable: true})
		}
	}
	if fields == nil {
		return nil
	}
	return arrow.NewSchema(fields, nil)
}

// mergeSchemas lists the properties of all files. One name has one type.
func mergeSchemas(files []*file) (*arrow.Schema, error) {
	var fields []arrow.Field
	first := map[string]column{}
	for _, f := range files {
		for _, c := range f.header.columns {
			known, ok := first[c.name]
			switch {
			case c.name == "":
			case !ok:
				first[c.name] = c
				fields = append(fields, arrow.Field{Name: c.name, Type: c.dataType(), Nullable: true})
			case !arrow.TypeEqual(known.dataType(), c.dataType()):
				return nil, &formats.ParseError{
					Position: c.at, Found: fmt.Sprintf("property %q as %s", c.name, c.dataType()),
					Expected: fmt.Sprintf("%s, as at %s", known.dataType(), known.at),
				}
			}
		}
	}
	if fields == nil {
		return nil, nil
	}
	return arrow.NewSchema(fields, nil), nil
}
