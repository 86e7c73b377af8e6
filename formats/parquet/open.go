package parquet

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/parquet-go/parquet-go"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
	"github.com/penstock-db/penstock/formats/table"
)

// file is one Parquet file whose schema is read.
type file struct {
	path, label string
	opts        formats.Options
	raw         *os.File
	content     *parquet.File
	columns     []*column
	schema      *arrow.Schema
	layout      *table.Layout
}

// Open opens the files of one graph. "Label=path" gives rows a label, or a type, when
// the file has no column for it. What is wrong in a file is a *formats.ParseError, here
// or from the source.
func Open(_ context.Context, paths []string, opts formats.Options) (formats.Source, error) {
	s := &source{mem: opts.Mem()}
	read := &progress{report: opts.Progress}
	for _, path := range paths {
		f, err := openFile(path, read, opts)
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.files = append(s.files, f)
	}
	if err := s.buildSchema(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func openFile(path string, read *progress, opts formats.Options) (*file, error) {
	label, path := input.SplitLabel(path)
	f := &file{path: path, label: label, opts: opts}
	var err error
	if f.raw, err = os.Open(path); err != nil {
		return nil, err
	}
	if err = f.open(read); err != nil {
		f.raw.Close()
		return nil, err
	}
	return f, nil
}

func (f *file) open(read *progress) error {
	info, err := f.raw.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return f.bad("no regular file", "a Parquet file, which is read from its end")
	}
	read.total += info.Size()
	if err := f.guard(func() error { return f.openContent(info.Size(), read) }); err != nil {
		return err
	}
	return f.guard(f.readSchema)
}

func (f *file) readSchema() error {
	var fields []arrow.Field
	names := map[string]bool{}
	if len(f.content.Root().Columns()) > formats.MaxColumns {
		return formats.TooLarge(f.at(0), "a table", formats.MaxColumns, "columns", "at most so many")
	}
	for _, top := range f.content.Root().Columns() {
		c, err := columnOf(top)
		if err != nil {
			return f.bad(fmt.Sprintf("column %q is %v", top.Name(), err),
				"numbers, booleans, strings, dates, times or lists of them: leave the column out")
		}
		if names[c.name] {
			return f.bad(fmt.Sprintf("two columns %q", c.name), "one of each name")
		}
		names[c.name] = true
		f.columns = append(f.columns, c)
		fields = append(fields, arrow.Field{Name: c.name, Type: c.dataType(), Nullable: true})
	}
	f.schema = arrow.NewSchema(fields, nil)
	var ok bool
	if f.layout, ok = table.Find(f.schema); !ok {
		return f.bad("a table of neither nodes nor relationships", table.Expected)
	}
	return nil
}

func (f *file) bad(found, expected string) error {
	return &formats.ParseError{Position: f.at(0), Found: found, Expected: expected}
}

// at is the position of a row, from 1.
func (f *file) at(row int64) formats.Position { return formats.Position{File: f.path, Line: row} }

// guard runs a call into parquet-go. Whatever it fails with is a damaged file; on
// some of them it panics.
func (f *file) guard(call func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%v", cause)
		}
		var known *formats.ParseError
		if err != nil && !errors.As(err, &known) {
			err = &formats.ParseError{
				Position: f.at(0), Found: "no intact Parquet file", Expected: "one: write or copy it again", Err: err,
			}
		}
	}()
	return call()
}
