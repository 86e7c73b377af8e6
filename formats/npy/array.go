package npy

import (
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// rows are the rows of a file, one after the other.
type rows struct {
	header
	file *input.File
	done int64 // rows that have been read
	buf  []byte
}

// open opens a file. The caller closes it.
func open(path string, opts formats.Options) (*rows, error) {
	f, err := input.Open(path, nil, opts)
	if err != nil {
		return nil, err
	}
	h, err := readHeader(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &rows{header: h, file: f}, nil
}

// at is where a row stands, counted from 1.
func (r *rows) at(row int64) formats.Position { return r.file.At(row) }

// next reads the bytes of count rows. They are valid until the next call.
func (r *rows) next(count int) ([]byte, error) {
	if left := r.rows - r.done; int64(count) > left {
		return nil, wrong(r.file, 0, fmt.Sprintf("%d rows", r.rows), "a row for each node; there are more nodes", nil)
	}
	size := count * r.width * r.kind.size
	if cap(r.buf) < size {
		r.buf = make([]byte, size)
	}
	r.buf = r.buf[:size]
	if n, err := io.ReadFull(r.file, r.buf); err != nil {
		return nil, wrong(r.file, r.done+int64(n/(r.width*r.kind.size))+1, "the end of the file",
			fmt.Sprintf("%d rows of %d numbers, as the header says", r.rows, r.width), err)
	}
	r.done += int64(count)
	return r.buf, nil
}

// field is the property that the rows become.
func (r *rows) field(name string) arrow.Field {
	t := r.kind.stored()
	if r.list {
		t = arrow.ListOf(t)
	}
	return arrow.Field{Name: name, Type: t, Nullable: true}
}

// read makes the next rows a column. The caller releases it.
func (r *rows) read(mem memory.Allocator, count int) (arrow.Array, error) {
	b, err := r.next(count)
	if err != nil {
		return nil, err
	}
	builder := array.NewBuilder(mem, r.field("").Type)
	defer builder.Release()
	numbers := builder
	if r.list {
		numbers = builder.(*array.ListBuilder).ValueBuilder()
	}
	numbers.Reserve(count * r.width)
	for at := 0; at < len(b); at += r.kind.size {
		if r.list && at%(r.width*r.kind.size) == 0 {
			builder.(*array.ListBuilder).Append(true)
		}
		each := b[at : at+r.kind.size]
		if r.kind.integers {
			numbers.(*array.Int64Builder).Append(r.kind.integer(each))
		} else {
			numbers.(*array.Float64Builder).Append(r.kind.float(each))
		}
	}
	return builder.NewArray(), nil
}

// end fails where rows are left, or bytes behind them.
func (r *rows) end(nodes int64) error {
	if r.done < r.rows {
		return wrong(r.file, r.done+1, fmt.Sprintf("row %d of %d", r.done+1, r.rows),
			fmt.Sprintf("the end, for there are %d nodes", nodes), nil)
	}
	if len(r.file.Peek(1)) > 0 {
		return wrong(r.file, 0, fmt.Sprintf("more than the %d rows of its header", r.rows), "their end", nil)
	}
	return nil
}
