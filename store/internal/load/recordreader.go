package load

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/arrays"
)

// recordReader collects the columns of records.
type recordReader struct {
	form   recordForm
	fields []arrow.Field
	types  *arrays.CellBuilder   // nil: untyped
	cells  []*arrays.CellBuilder // by field; nil: left out
	name   string
	text   int64 // bytes of values of variable width
}

// newRecordReader makes a reader of records without their ends. variable says whether
// they hold columns of variable width, rows how many will come.
func newRecordReader(form recordForm, typeField arrow.Field, variable bool, rows int) *recordReader {
	r := &recordReader{form: form, fields: form.fields, cells: make([]*arrays.CellBuilder, len(form.fields)),
		name: typeField.Name}
	if form.typed {
		r.types = arrays.NewCellBuilder(typeField.Type, rows)
	}
	for i, field := range form.fields {
		if variable || form.shapes[i].Fixed() {
			r.cells[i] = arrays.NewCellBuilder(field.Type, rows)
		}
	}
	return r
}

// append adds the record that src begins with.
func (r *recordReader) append(src []byte) {
	if r.types != nil {
		r.appendType(binary.LittleEndian.Uint32(src))
		src = src[4:]
	}
	nulls, src := src[:r.form.nulls], src[r.form.nulls:]
	for i, s := range r.form.shapes {
		if s.Fixed() {
			r.appendCell(r.cells[i], nulls[i/8]>>(i%8)&1 != 0, src)
			src = src[s.Width:]
		}
	}
	before := len(src)
	for i, s := range r.form.shapes {
		if !s.Fixed() && r.cells[i] != nil {
			src = r.appendCell(r.cells[i], nulls[i/8]>>(i%8)&1 != 0, src)
		}
	}
	r.text += int64(before - len(src))
}

func (r *recordReader) appendType(code uint32) {
	if code == 0 {
		r.types.AppendNull()
		return
	}
	var spelled [4]byte
	binary.LittleEndian.PutUint32(spelled[:], code-1)
	r.types.Append(spelled[:])
}

func (r *recordReader) appendCell(b *arrays.CellBuilder, null bool, src []byte) []byte {
	if null {
		b.AppendNull()
		return src
	}
	return b.Append(src)
}

// columns are the arrays; the caller releases them.
func (r *recordReader) columns() []chunk.EdgeColumn {
	var all []chunk.EdgeColumn
	if r.types != nil {
		all = append(all, chunk.EdgeColumn{Name: r.name, Values: r.types.Array()})
	}
	for i, b := range r.cells {
		if b != nil {
			all = append(all, chunk.EdgeColumn{Name: r.fields[i].Name, Values: b.Array()})
		}
	}
	return all
}
