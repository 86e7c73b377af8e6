package csv

import (
	"bytes"
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/penstock-db/penstock/formats"
)

const (
	batchBytes  = 32 << 20 // a batch ends after this much text, however few rows
	knownLabels = 1 << 12  // label lists kept so that equal ones share their memory
)

// rows gathers the records of one file into batches.
type rows struct {
	*file
	ids, ends formats.IDs // a node's id or a relationship's start; a relationship's end
	labelled  bool        // the file has labels or types
	labels    []string    // nil when it has none
	props     *array.RecordBuilder
	fieldOf   []int // for each column of the header the property column, or -1
	lines     []int64
	size      int
	known     map[string]string
}

func newRows(f *file, mem memory.Allocator) *rows {
	r := &rows{file: f, labelled: f.label != "", known: map[string]string{}, fieldOf: make([]int, len(f.header.columns))}
	if schema := f.header.properties(); schema != nil {
		r.props = array.NewRecordBuilder(mem, schema)
	}
	next := 0
	for i, c := range f.header.columns {
		r.labelled = r.labelled || c.role == label || c.role == relType
		r.fieldOf[i] = -1
		if c.name != "" {
			r.fieldOf[i] = next
			next++
		}
	}
	return r
}

func (r *rows) readNodes(ctx context.Context, yield func(*formats.NodeBatch) error) error {
	return r.read(ctx, func(props arrow.Record) error {
		return yield(&formats.NodeBatch{ID: r.ids, Labels: r.labels, Props: props, Where: r.where})
	})
}

func (r *rows) readEdges(ctx context.Context, yield func(*formats.EdgeBatch) error) error {
	return r.read(ctx, func(props arrow.Record) error {
		return yield(&formats.EdgeBatch{Src: r.ids, Dst: r.ends, Types: r.labels, Props: props, Where: r.where})
	})
}

func (r *rows) where(row int) formats.Position {
	return formats.Position{File: r.file.lines.Position().File, Line: r.lines[row]}
}

// read hands all records of the file on, a batch at a time.
func (r *rows) read(ctx context.Context, yield func(props arrow.Record) error) error {
	if r.props != nil {
		defer r.props.Release()
	}
	for r.next() {
		if err := r.add(); err != nil {
			return err
		}
		if len(r.lines) == formats.BatchRows || r.size >= batchBytes {
			if err := r.flush(ctx, yield); err != nil {
				return err
			}
		}
	}
	if r.err != nil {
		return r.err
	}
	return r.flush(ctx, yield)
}

func (r *rows) flush(ctx context.Context, yield func(props arrow.Record) error) error {
	if err := ctx.Err(); err != nil || len(r.lines) == 0 {
		return err
	}
	var props arrow.Record
	if r.props != nil {
		props = r.props.NewRecord()
		defer props.Release()
	}
	err := yield(props)
	r.ids.Reset()
	r.ends.Reset()
	r.labels, r.lines, r.size = r.labels[:0], r.lines[:0], 0
	return err
}

// add appends the current record.
func (r *rows) add() error {
	if len(r.fields) != len(r.header.columns) {
		return &formats.ParseError{
			Position: formats.Position{File: r.file.lines.Position().File, Line: r.line()},
			Found:    fmt.Sprintf("%d fields", len(r.fields)),
			Expected: fmt.Sprintf("%d as in the header", len(r.header.columns)),
		}
	}
	labels := []byte(nil)
	for i := range r.header.columns {
		c := &r.header.columns[i]
		var err error
		switch c.role {
		case nodeID, startID:
			err = r.addID(&r.ids, c, i)
		case endID:
			err = r.addID(&r.ends, c, i)
		case label, relType:
			labels = r.token(i)
		}
		if err == nil && r.fieldOf[i] >= 0 {
			err = r.addValue(c, i)
		}
		if err != nil {
			return err
		}
	}
	return r.endRow(labels)
}

func (r *rows) endRow(labels []byte) error {
	if r.labelled {
		list, err := r.intern(labels)
		if err != nil {
			return err
		}
		r.labels = append(r.labels, list)
	}
	r.lines = append(r.lines, r.line())
	r.size += len(r.text)
	return nil
}

func (r *rows) addID(ids *formats.IDs, c *column, i int) error {
	token := r.token(i)
	if len(token) == 0 || !utf8.Valid(token) {
		return r.bad(r.fields[i], "an id: an integer or text")
	}
	if r.spaces && c.space != "" {
		ids.Append(c.space + ":" + string(token))
	} else if n, ok := formats.ParseID(string(token)); ok {
		ids.AppendInt(n)
	} else {
		ids.Append(string(token))
	}
	return nil
}

func (r *rows) addValue(c *column, i int) error {
	b := r.props.Field(r.fieldOf[i])
	if r.null(i) {
		b.AppendNull()
		return nil
	}
	if !c.appendField(b, r.bytes(i)) {
		return r.bad(r.fields[i], c.expected)
	}
	return nil
}

// intern makes the labels of a row: those in the field and that of the path. Equal
// ones share their memory.
func (r *rows) intern(labels []byte) (string, error) {
	if list, ok := r.known[string(labels)]; ok {
		return list, nil
	}
	if !utf8.Valid(labels) {
		return "", &formats.ParseError{Position: formats.Position{File: r.file.lines.Position().File, Line: r.line()}, Found: "binary data", Expected: "labels"}
	}
	if len(r.known) >= knownLabels {
		clear(r.known)
	}
	list := joinLabels(r.label, labels, !r.header.edges)
	r.known[string(labels)] = list
	return list, nil
}

func joinLabels(first string, labels []byte, several bool) string {
	if !several {
		if len(labels) > 0 {
			return string(labels)
		}
		return first
	}
	var parts [][]byte
	for part := range bytes.SplitSeq(append([]byte(first+";"), labels...), listSeparator) {
		if len(part) > 0 {
			parts = append(parts, part)
		}
	}
	return string(bytes.Join(parts, listSeparator))
}
