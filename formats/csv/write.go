package csv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/table"
)

// Files are the names of what Write writes.
var Files = []string{table.Nodes + ".csv", table.Relationships + ".csv"}

// structure is what a header calls the columns that are no properties, in table's order.
var structure = map[string][]string{
	table.Nodes:         {":ID", ":LABEL"},
	table.Relationships: {":START_ID", ":END_ID", ":TYPE"},
}

// typeNames are what a header calls the types of properties.
var typeNames = map[arrow.Type]string{
	arrow.INT64: "long", arrow.FLOAT64: "double", arrow.BOOL: "boolean", arrow.STRING: "string", arrow.DATE32: "date",
}

// Write writes src into nodes.csv and relationships.csv in dir, with headers for
// neo4j-admin import. Open reads the same graph back.
func Write(ctx context.Context, src formats.Source, dir string, mem memory.Allocator) error {
	return table.Write(ctx, src, mem, func(name string, schema *arrow.Schema) (table.Sink, error) {
		header, err := headerOf(name, schema)
		if err != nil {
			return nil, err
		}
		return create(filepath.Join(dir, name+".csv"), header, slices.Index(header, ":LABEL"))
	})
}

func headerOf(name string, schema *arrow.Schema) ([]string, error) {
	header := slices.Clone(structure[name])
	for _, f := range schema.Fields()[len(header):] {
		if f.Name == "" {
			return nil, errors.New("a property without a name cannot be written as CSV")
		}
		header = append(header, fmt.Sprintf("%s:%s", f.Name, typeName(f.Type)))
	}
	return header, nil
}

func typeName(t arrow.DataType) string {
	switch t := t.(type) {
	case *arrow.ListType:
		return typeName(t.Elem()) + "[]"
	case *arrow.TimestampType:
		if t.TimeZone == "" {
			return "localdatetime"
		}
		return "datetime"
	}
	return typeNames[t.ID()]
}

// fileSink is a Writer with its file.
type fileSink struct {
	*Writer
	file *os.File
}

func create(path string, header []string, labels int) (table.Sink, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w, err := NewWriter(file, header)
	if err != nil {
		file.Close()
		return nil, err
	}
	w.labels = labels
	return &fileSink{w, file}, nil
}

func (s *fileSink) Close() error {
	return errors.Join(s.Writer.Close(), s.file.Close())
}
