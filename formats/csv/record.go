package csv

import (
	"bytes"
	"fmt"
	"slices"
	"unsafe"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/input"
)

// maxRecord bounds a record that spans lines, in bytes, where lines may be as long: without
// it a quote that is never closed would bring the whole file into memory.
const maxRecord = 16 << 20

// keptText is how much memory a parser keeps for the next record with quotes.
const keptText = 1 << 20

// field is a range of a record's text, and where it starts in the file.
type field struct {
	start, end int
	quoted     bool
	line       int64
	column     int
}

// record is a text and the fields in it, quotes taken off.
type record struct {
	text   []byte
	fields []field
}

// records splits a file into records as RFC 4180 says. It is not encoding/csv, which
// forgets whether an empty field was quoted and rewrites line ends inside quotes: a
// null would come back as an empty string. A record without quotes is not copied.
type records struct {
	record
	lines     *input.Lines
	limit     int // bytes a record that spans lines may have
	delimiter byte
	joined    []byte // memory for records with quotes
	lineStart int    // where the current line starts in text
	ahead     []record
	err       error
}

func newRecords(lines *input.Lines, delimiter byte) records {
	return records{lines: lines, limit: min(maxRecord, lines.Limit()), delimiter: delimiter}
}

// next goes to the next record, past empty lines. It is false at the end and after an error.
func (r *records) next() bool {
	if len(r.ahead) > 0 {
		r.record, r.ahead = r.ahead[0], r.ahead[1:]
		return true
	}
	for r.err == nil && r.lines.Next() {
		if len(r.lines.Bytes()) == 0 {
			continue
		}
		r.err = r.split()
		return r.err == nil
	}
	if r.err == nil {
		r.err = r.lines.Err()
	}
	return false
}

// forget gives back the memory of a long record.
func (r *records) forget() {
	if cap(r.joined) > keptText {
		r.joined = nil
	}
	r.text = nil
}

// peek shows up to rows records, which next will give again and which take at most size
// bytes, or of which the last one does.
func (r *records) peek(rows, size int, show func()) {
	var ahead []record
	for len(ahead) < rows && size > 0 && r.next() {
		show()
		ahead = append(ahead, record{bytes.Clone(r.text), slices.Clone(r.fields)})
		size -= len(r.text) + len(r.fields)*int(unsafe.Sizeof(field{}))
	}
	r.ahead = ahead
}

func (r *records) split() error {
	r.fields, r.lineStart = r.fields[:0], 0
	r.text = r.lines.Bytes()
	if bytes.IndexByte(r.text, '"') >= 0 {
		r.joined = append(r.joined[:0], r.text...)
		r.text = r.joined
	}
	for at := 0; at <= len(r.text); {
		if len(r.fields) == formats.MaxColumns {
			return formats.TooLarge(r.at(r.fields[0]), "a record", formats.MaxColumns, "fields", "at most so many columns")
		}
		r.fields = append(r.fields, field{start: at, line: r.lines.Number(), column: at - r.lineStart + 1})
		f := &r.fields[len(r.fields)-1]
		var err error
		if at < len(r.text) && r.text[at] == '"' {
			at, err = r.quoted(f)
		} else {
			at, err = r.unquoted(f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unquoted finds the end of f and returns where the next field starts: beyond the
// text when f is the last.
func (r *records) unquoted(f *field) (int, error) {
	f.end = len(r.text)
	if n := bytes.IndexByte(r.text[f.start:], r.delimiter); n >= 0 {
		f.end = f.start + n
	}
	if bytes.IndexByte(r.text[f.start:f.end], '"') >= 0 {
		return 0, r.bad(*f, "no quote inside a field without quotes: quote the field and double the quotes in it")
	}
	return f.end + 1, nil
}

// quoted is unquoted for a field in quotes, which it takes off in place.
func (r *records) quoted(f *field) (int, error) {
	f.quoted = true
	f.start++
	f.end = f.start
	for read := f.start; ; {
		n := bytes.IndexByte(r.text[read:], '"')
		if n < 0 {
			f.end += copy(r.text[f.end:], r.text[read:])
			read = len(r.text)
			if err := r.extend(*f); err != nil {
				return 0, err
			}
			continue
		}
		f.end += copy(r.text[f.end:], r.text[read:read+n])
		read += n + 1
		switch {
		case read == len(r.text) || r.text[read] == r.delimiter:
			return read + 1, nil
		case r.text[read] != '"':
			return 0, r.bad(*f, fmt.Sprintf("%q or the end of the line after the closing quote", r.delimiter))
		}
		r.text[f.end] = '"'
		f.end++
		read++
	}
}

// extend adds the next line to the record, for a field in quotes that goes on there.
func (r *records) extend(open field) error {
	r.text = append(r.text, r.lines.End()...)
	if len(r.text) > r.limit {
		return r.bad(open, "a closing quote within "+humanize.IBytes(uint64(r.limit)))
	}
	if !r.lines.Next() {
		if err := r.lines.Err(); err != nil {
			return err
		}
		return r.bad(open, "a closing quote before the end of the file")
	}
	r.lineStart = len(r.text)
	r.text = append(r.text, r.lines.Bytes()...)
	r.joined = r.text
	return nil
}

// bytes is field i, valid until next.
func (r *records) bytes(i int) []byte {
	f := &r.fields[i]
	return r.text[f.start:f.end]
}

// token is field i without blanks around it, unless they are quoted.
func (r *records) token(i int) []byte {
	if r.fields[i].quoted {
		return r.bytes(i)
	}
	return bytes.TrimSpace(r.bytes(i))
}

// null is true for an empty field without quotes.
func (r *records) null(i int) bool {
	f := &r.fields[i]
	return f.start == f.end && !f.quoted
}

// line is where the record starts.
func (r *records) line() int64 { return r.fields[0].line }

// at is where field f stands.
func (r *records) at(f field) formats.Position {
	return formats.Position{File: r.lines.Position().File, Line: f.line, Column: f.column}
}

// bad is the error for a field that is not what it should be.
func (r *records) bad(f field, expected string) error {
	return &formats.ParseError{Position: r.at(f), Found: input.Quote(r.text[f.start:f.end]), Expected: expected}
}
