package result

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/penstock-db/penstock/formats/arrowipc"
	"github.com/penstock-db/penstock/formats/csv"
	"github.com/penstock-db/penstock/formats/parquet"
	"github.com/penstock-db/penstock/formats/table"
)

// newSink starts a table of one format.
type newSink func(w io.Writer, schema *arrow.Schema) (table.Sink, error)

var sinks = map[string]newSink{
	".csv":     csvSink,
	".csv.gz":  compressed(func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }),
	".csv.zst": compressed(func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }),
	".arrow": func(w io.Writer, schema *arrow.Schema) (table.Sink, error) {
		return arrowipc.NewWriter(w, schema, memory.DefaultAllocator)
	},
	".parquet": func(w io.Writer, schema *arrow.Schema) (table.Sink, error) { return parquet.NewWriter(w, schema) },
}

// UnknownEndingError means that a file's name does not tell its format.
type UnknownEndingError struct{ File string }

func (e *UnknownEndingError) Error() string {
	return fmt.Sprintf("%s: cannot tell the format from the name; it must end in one of %s",
		e.File, strings.Join(Endings(), ", "))
}

// Endings lists the endings that Write knows, in alphabetical order.
func Endings() []string { return slices.Sorted(maps.Keys(sinks)) }

// FolderError means that a file cannot be written because its folder is not there.
type FolderError struct{ File, Folder string }

func (e *FolderError) Error() string {
	return fmt.Sprintf("%s: there is no folder %s; make it first", e.File, e.Folder)
}

// Check is an *UnknownEndingError or a *FolderError for a file that Write could not
// write. It lets a caller find out before a long run.
func Check(file string) error {
	if sinkFor(file) == nil {
		return &UnknownEndingError{File: file}
	}
	folder := filepath.Dir(file)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return &FolderError{File: file, Folder: folder}
	}
	return nil
}

// Write writes t to file, in the format that its ending tells. The file appears, in
// place of an older one, when it is whole and on the disk.
func Write(ctx context.Context, file string, t Table) (err error) {
	newSink := sinkFor(file)
	if newSink == nil {
		return &UnknownEndingError{File: file}
	}
	temporary, err := os.CreateTemp(filepath.Dir(file), ".penstock-result-")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	err = errors.Join(write(ctx, temporary, newSink, t), temporary.Chmod(0o644), temporary.Sync(), temporary.Close())
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), file)
}

func write(ctx context.Context, out io.Writer, newSink newSink, t Table) error {
	columns, err := t.columns(ctx)
	if err != nil {
		return err
	}
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = arrow.Field{Name: c.Name, Type: c.data, Nullable: c.Null != nil && c.Each == 0}
	}
	schema := arrow.NewSchema(fields, nil)
	buffer := bufio.NewWriterSize(out, 256<<10)
	sink, err := newSink(buffer, schema)
	if err != nil {
		return err
	}
	err = t.batches(func(from, to uint64) error {
		record, err := t.record(ctx, schema, columns, from, to)
		if err != nil {
			return err
		}
		defer record.Release()
		return errors.Join(sink.Write(record), ctx.Err())
	})
	if closed := sink.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return buffer.Flush()
}

// sinkFor finds the sink by the file's ending; nil when none has it.
func sinkFor(file string) newSink {
	for ending, sink := range sinks {
		if strings.HasSuffix(strings.ToLower(file), ending) {
			return sink
		}
	}
	return nil
}

func csvSink(w io.Writer, schema *arrow.Schema) (table.Sink, error) {
	var header []string
	for _, f := range schema.Fields() {
		header = append(header, f.Name)
	}
	return csv.NewWriter(w, header)
}

// archive is CSV inside a compressed stream.
type archive struct {
	table.Sink
	stream io.Closer
}

func (a *archive) Close() error { return errors.Join(a.Sink.Close(), a.stream.Close()) }

func compressed(open func(io.Writer) (io.WriteCloser, error)) newSink {
	return func(w io.Writer, schema *arrow.Schema) (table.Sink, error) {
		stream, err := open(w)
		if err != nil {
			return nil, err
		}
		sink, err := csvSink(stream, schema)
		return &archive{sink, stream}, err
	}
}
