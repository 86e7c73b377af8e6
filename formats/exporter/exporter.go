// Package exporter writes a graph to files that other programs read.
//
//	Source ──▶ a format's writer ──▶ hidden folder in dir ──sync, rename file by file──▶ dir
//
// A failure or an interruption leaves no file behind, neither half nor whole. Memory
// is that of the format's writer: a few batches.
package exporter

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/arrowipc"
	"github.com/penstock-db/penstock/formats/csv"
	"github.com/penstock-db/penstock/formats/mtx"
	"github.com/penstock-db/penstock/formats/parquet"
)

// writer writes some or all of its files into an empty folder.
type writer struct {
	files []string
	write func(ctx context.Context, src formats.Source, dir string) error
}

var writers = map[string]writer{
	"arrow":   {arrowipc.Files, tables(arrowipc.Write)},
	"csv":     {csv.Files, tables(csv.Write)},
	"mtx":     {mtx.Files, mtx.Write},
	"parquet": {parquet.Files, tables(parquet.Write)},
}

// tables gives a writer of tables the memory in which to lay them out.
func tables(write func(context.Context, formats.Source, string, memory.Allocator) error) func(context.Context,
	formats.Source, string) error {
	return func(ctx context.Context, src formats.Source, dir string) error {
		return write(ctx, src, dir, memory.DefaultAllocator)
	}
}

// Option changes how Write goes about it.
type Option func(*options)

type options struct{ overwrite bool }

// Overwrite lets Write replace an earlier export of the same format.
func Overwrite() Option { return func(o *options) { o.overwrite = true } }

// UnknownFormatError says that no writer has this name.
type UnknownFormatError struct{ Name string }

func (e *UnknownFormatError) Error() string {
	return fmt.Sprintf("cannot write format %q; known are %s", e.Name, strings.Join(Formats(), ", "))
}

// ExistsError says which file Write would have had to overwrite.
type ExistsError struct{ File string }

func (e *ExistsError) Error() string {
	return e.File + " exists: remove it, overwrite it (--overwrite), or give another folder"
}

// Formats lists the formats that Write knows, in alphabetical order.
func Formats() []string {
	var names []string
	for name := range writers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Write writes src into files in dir, which it makes when it is missing. It does not
// close src. progress, when not nil, is told how many nodes and edges are written
// of how many, -1 when the source does not know.
func Write(ctx context.Context, src formats.Source, format, dir string, progress func(done, total int64),
	opts ...Option) error {
	w, ok := writers[format]
	if !ok {
		return &UnknownFormatError{Name: format}
	}
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	stage, err := newStage(dir, w.files, o.overwrite)
	if err != nil {
		return err
	}
	defer stage.remove()
	if err := w.write(ctx, withProgress(src, progress), stage.temporary); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return stage.publish()
}
