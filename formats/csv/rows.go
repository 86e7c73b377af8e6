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
	"github.com/penstock-db/penstock/formats/batch"
	"github.com/penstock-db/penstock/formats/input"
)

// knownLabels is how many label lists of at most longestKnown bytes are kept so that equal
// ones share their memory.
const knownLabels, longestKnown = 1 << 12, 256

// rows gathers records of one file into a batch.
type rows struct {
	*file
	records               // of a block
	ids, ends formats.IDs // a node's id or a relationship's start; a relationship's end
	labeled   bool        // the file has labels or types
	labels    []string    // nil when it has none
	props     *array.RecordBuilder
	fieldOf   []int // for each column of the header the property column, or -1
	lines     []int64
	before    int64 // lines of the file that these do not count
	bare      bool  // a row is a start and an end, and nothing else
	known     map[string]string
	yield     func(r *rows, props arrow.Record) error
}

func newRows(f *file, mem memory.Allocator, yield func(*rows, arrow.Record) error) *rows {
	r := &rows{
		file: f, records: records{delimiter: f.delimiter, limit: f.limit}, yield: yield,
		labeled: f.label != "", known: map[string]string{}, fieldOf: make([]int, len(f.header.columns)),
	}
	if schema := f.header.properties(); schema != nil {
		r.props = array.NewRecordBuilder(mem, schema)
	}
	columns := f.header.columns
	r.bare = len(columns) == 2 && columns[0].role == startID && columns[1].role == endID && !f.spaces && !r.labeled
	next := 0
	for i, c := range columns {
		r.labeled = r.labeled || c.role == label || c.role == relType
		r.fieldOf[i] = -1
		if c.name != "" {
			r.fieldOf[i] = next
			next++
		}
	}
	return r
}

func (f *file) path() string { return f.lines.Position().File }

func (f *file) readNodes(ctx context.Context, mem memory.Allocator, yield func(*formats.NodeBatch) error) error {
	return f.read(ctx, mem, len("1\n"), func(r *rows, props arrow.Record) error {
		return yield(&formats.NodeBatch{ID: r.ids, Labels: r.labels, Props: props, Where: r.where})
	})
}

func (f *file) readEdges(ctx context.Context, mem memory.Allocator, yield func(*formats.EdgeBatch) error) error {
	return f.read(ctx, mem, len("1,2\n"), func(r *rows, props arrow.Record) error {
		return yield(&formats.EdgeBatch{Src: r.ids, Dst: r.ends, Types: r.labels, Props: props, Where: r.where})
	})
}

func (r *rows) where(row int) formats.Position {
	return formats.Position{File: r.path(), Line: r.before + r.lines[row]}
}

// read hands all records of the file on, of which each takes at least so many bytes:
// those that were looked at ahead, then the others, block by block.
func (f *file) read(ctx context.Context, mem memory.Allocator, row int, yield func(*rows, arrow.Record) error) error {
	if err := f.readAhead(ctx, newRows(f, mem, yield)); err != nil {
		return err
	}
	cut := input.Blocks{Row: row, Quoted: f.limit}
	return f.lines.Parse(ctx, cut, func() input.Parser { return &parser{newRows(f, mem, yield), ctx} })
}

func (f *file) readAhead(ctx context.Context, r *rows) error {
	defer r.release()
	for len(f.ahead) > 0 {
		f.next()
		r.record, r.records.lines = f.record, f.lines
		if err := r.add(); err != nil {
			return err
		}
	}
	if f.err != nil {
		return f.err
	}
	return r.flush(ctx)
}

// parser is rows as an input.Parser.
type parser struct {
	*rows
	ctx context.Context
}

func (p *parser) Parse(block *input.Lines) error {
	p.records.lines = block
	for {
		if p.bare {
			batch.TakePairs(block, string([]byte{p.file.delimiter}), &p.ids, &p.ends, &p.lines)
		}
		if !p.next() {
			return p.err
		}
		if err := p.add(); err != nil {
			return err
		}
	}
}

func (p *parser) Flush(before int64) error {
	p.before = before
	err := p.flush(p.ctx)
	p.forget()
	return err
}

func (p *parser) Release() { p.release() }

func (r *rows) release() {
	if r.props != nil {
		r.props.Release()
	}
}

func (r *rows) flush(ctx context.Context) error {
	if err := ctx.Err(); err != nil || len(r.lines) == 0 {
		return err
	}
	var props arrow.Record
	if r.props != nil {
		props = r.props.NewRecord()
		defer props.Release()
	}
	err := r.yield(r, props)
	r.ids.Reset()
	r.ends.Reset()
	r.labels, r.lines = r.labels[:0], r.lines[:0]
	return err
}

// add appends the current record.
func (r *rows) add() error {
	if len(r.fields) != len(r.header.columns) {
		return &formats.ParseError{
			Position: formats.Position{File: r.path(), Line: r.line()},
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
	if r.labeled {
		list, err := r.intern(labels)
		if err != nil {
			return err
		}
		r.labels = append(r.labels, list)
	}
	r.lines = append(r.lines, r.line())
	return nil
}

func (r *rows) addID(ids *formats.IDs, c *column, i int) error {
	token := r.token(i)
	if len(token) > formats.MaxID {
		return formats.LongID(r.at(r.fields[i]))
	}
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
		return "", &formats.ParseError{Position: formats.Position{File: r.path(), Line: r.line()}, Found: "binary data",
			Expected: "labels"}
	}
	list := joinLabels(r.label, labels, !r.header.edges)
	if len(labels) > longestKnown {
		return list, nil
	}
	if len(r.known) >= knownLabels {
		clear(r.known)
	}
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
