package ratings

import (
	"bytes"
	"fmt"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// rows gathers the ratings of a block.
type rows struct {
	edges  *batch.Edges
	width  int // fields on each line
	fields fields
	lines  *input.Lines
}

func (r *rows) Release() { r.edges.Release() }

func (r *rows) Flush(before int64) error { return r.edges.FlushAfter(before) }

func (r *rows) Parse(block *input.Lines) error {
	r.lines = block
	for next(block) {
		if err := r.add(); err != nil {
			return err
		}
	}
	return block.Err()
}

// add gathers the rating of the line that lines is at.
func (r *rows) add() error {
	r.fields.reset(r.lines.Bytes())
	if err := r.appendID(&r.edges.Src); err != nil {
		return err
	}
	if err := r.appendID(&r.edges.Dst); err != nil {
		return err
	}
	field, ok := r.fields.next()
	if !ok {
		return r.badWidth()
	}
	rating, ok := input.ParseFloat(field)
	if !ok {
		return r.lines.Bad(r.fields.column(), "rating "+input.Quote(field), "a finite number")
	}
	r.edges.Float(0).Append(rating)
	if r.width == 4 {
		if field, ok = r.fields.next(); !ok {
			return r.badWidth()
		}
		when, ok := formats.ParseID(string(field))
		if !ok {
			return r.lines.Bad(r.fields.column(), "time "+input.Quote(field), "seconds since 1970, an integer")
		}
		r.edges.Int(1).Append(when)
	}
	if _, more := r.fields.next(); more {
		return r.badWidth()
	}
	r.edges.Row(r.lines.Number())
	return nil
}

func (r *rows) appendID(ids *formats.IDs) error {
	field, ok := r.fields.next()
	if !ok {
		return r.badWidth()
	}
	if !batch.AppendID(ids, field) {
		return batch.BadID(r.lines, r.fields.column(), field)
	}
	return nil
}

func (r *rows) badWidth() error {
	var f fields
	return r.lines.Bad(0, fmt.Sprintf("%d fields", f.count(r.lines.Bytes())),
		fmt.Sprintf("%d, as on the first line", r.width))
}

// fields parts a line at "::" where there is one, else as input.Fields does.
type fields struct {
	plain  input.Fields
	colons bool
	line   []byte
	start  int // of the last field
	from   int // of the next one; beyond the line: there is none
}

func (f *fields) reset(line []byte) {
	f.line, f.start, f.from = line, 0, 0
	f.plain = input.Fields{Comma: true}
	if f.colons = bytes.Contains(line, separator); !f.colons {
		f.plain.Reset(line)
	}
}

var separator = []byte("::")

func (f *fields) next() (field []byte, ok bool) {
	if !f.colons {
		return f.plain.Next()
	}
	if f.from > len(f.line) {
		return nil, false
	}
	f.start = f.from
	end := bytes.Index(f.line[f.start:], separator)
	if end < 0 {
		end = len(f.line) - f.start
	}
	f.from = f.start + end + len(separator)
	return bytes.Trim(f.line[f.start:f.start+end], " \t"), true
}

// column is where the last field starts, from 1.
func (f *fields) column() int {
	if f.colons {
		return f.start + 1
	}
	return f.plain.Column
}

// count is how many fields a line has, of which the first is the next.
func (f *fields) count(line []byte) (n int) {
	for f.reset(line); ; n++ {
		if _, ok := f.next(); !ok {
			f.reset(line)
			return n
		}
	}
}
