package arrowipc

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/table"
)

// Files are the names of what Write writes.
var Files = []string{table.Nodes + ".arrow", table.Relationships + ".arrow"}

// Write writes src into nodes.arrow and relationships.arrow in dir; package table
// tells their columns.
func Write(ctx context.Context, src formats.Source, dir string, mem memory.Allocator) error {
	return table.Write(ctx, src, mem, func(name string, schema *arrow.Schema) (table.Sink, error) {
		return create(filepath.Join(dir, name+".arrow"), schema, mem)
	})
}

// fileSink is a Writer with its file.
type fileSink struct {
	*Writer
	file *os.File
}

func create(path string, schema *arrow.Schema, mem memory.Allocator) (table.Sink, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w, err := NewWriter(file, schema, mem)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &fileSink{w, file}, nil
}

func (s *fileSink) Close() error {
	return errors.Join(s.Writer.Close(), s.file.Close())
}
