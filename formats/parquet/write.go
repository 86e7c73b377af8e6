package parquet

import (
	"bufio"
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
var Files = []string{table.Nodes + ".parquet", table.Relationships + ".parquet"}

// Write writes src into nodes.parquet and relationships.parquet in dir; package table
// tells their columns.
func Write(ctx context.Context, src formats.Source, dir string, mem memory.Allocator) error {
	return table.Write(ctx, src, mem, func(name string, schema *arrow.Schema) (table.Sink, error) {
		return create(filepath.Join(dir, name+".parquet"), schema)
	})
}

// fileSink is a Writer with its file.
type fileSink struct {
	*Writer
	buffer *bufio.Writer
	file   *os.File
}

func create(path string, schema *arrow.Schema) (table.Sink, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	buffer := bufio.NewWriter(file)
	w, err := NewWriter(buffer, schema)
	if err != nil {
		file.Close()
		return nil, err
	}
	return &fileSink{w, buffer, file}, nil
}

func (s *fileSink) Close() error {
	return errors.Join(s.Writer.Close(), s.buffer.Flush(), s.file.Close())
}
