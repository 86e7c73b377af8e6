package csv

import (
	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/table"
)

func (c *column) field() arrow.Field {
	return arrow.Field{Name: c.name, Type: c.dataType(), Nullable: true}
}

// properties are the property columns of a header, in its order; nil when there are none.
func (h *header) properties() *arrow.Schema {
	var fields []arrow.Field
	for _, c := range h.columns {
		if c.name != "" {
			fields = append(fields, c.field())
		}
	}
	if fields == nil {
		return nil
	}
	return arrow.NewSchema(fields, nil)
}

// mergeSchemas lists the properties of all files. One name has one type.
func mergeSchemas(files []*file) (*arrow.Schema, error) {
	var merged table.Merger
	for _, f := range files {
		for _, c := range f.header.columns {
			if c.name == "" {
				continue
			}
			if err := merged.AddField(c.field(), c.at); err != nil {
				return nil, err
			}
		}
	}
	return merged.Schema(), nil
}
