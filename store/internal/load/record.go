package load

import (
	"encoding/binary"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/penstock-db/penstock/store/internal/arrays"
)

// recordForm is how an edge travels from a Source to its chunks, and a declared node,
// with its number as source and no target, to its columns, as bytes:
//
//	source 4 | target 4 | type code+1 4 | null bits | fixed-width values | others
//
// Type is there only if typed; code+1 is 0 for an edge without a type. A null
// fixed-width value is zeroed, any other null takes no bytes.
type recordForm struct {
	typed  bool
	fields []arrow.Field
	shapes []arrays.Shape
	nulls  int  // bytes of null bits
	fixed  int  // bytes before the others
	exact  bool // there are no others
}

func newRecordForm(fields []arrow.Field, typed bool) recordForm {
	f := recordForm{typed: typed, fields: fields, nulls: (len(fields) + 7) / 8, exact: true}
	f.fixed = f.head() + f.nulls
	for _, field := range fields {
		s := arrays.ShapeOf(field.Type)
		f.shapes = append(f.shapes, s)
		f.fixed += s.Width
		f.exact = f.exact && s.Fixed()
	}
	return f
}

// head is how many bytes stand before the null bits.
func (f *recordForm) head() int {
	if f.typed {
		return 12
	}
	return 8
}

// bare is true when a record is nothing but its two ends.
func (f *recordForm) bare() bool { return !f.typed && len(f.fields) == 0 }

// encoder spells the columns of one batch.
type encoder struct {
	*recordForm
	columns []*arrays.Cells // by field; nil: the batch lacks it
}

// encoder of a batch's properties, which may be nil: then all are null.
func (f *recordForm) encoder(props arrow.Record) (encoder, error) {
	e := encoder{recordForm: f, columns: make([]*arrays.Cells, len(f.fields))}
	if props == nil {
		return e, nil
	}
	for i, field := range f.fields {
		for _, at := range props.Schema().FieldIndices(field.Name) {
			a := props.Column(at)
			if !arrow.TypeEqual(a.DataType(), field.Type) {
				return e, mistyped(field, a)
			}
			e.columns[i] = arrays.NewCells(a.Data())
		}
	}
	return e, nil
}

// append spells edge i of the batch.
func (e *encoder) append(dst []byte, source, target, code uint32, i int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, source)
	dst = binary.LittleEndian.AppendUint32(dst, target)
	if e.typed {
		dst = binary.LittleEndian.AppendUint32(dst, code)
	}
	if len(e.columns) == 0 {
		return dst
	}
	return e.appendValues(dst, i)
}

func (e *encoder) appendValues(dst []byte, i int) []byte {
	nulls := len(dst)
	dst = append(dst, make([]byte, e.nulls)...)
	for j, c := range e.columns {
		if c == nil || c.Null(i) {
			dst[nulls+j/8] |= 1 << (j % 8)
			dst = append(dst, make([]byte, e.shapes[j].Width)...)
		} else if c.Fixed() {
			dst = c.Append(dst, i)
		}
	}
	for j, c := range e.columns {
		if !e.shapes[j].Fixed() && c != nil && !c.Null(i) {
			dst = c.Append(dst, i)
		}
	}
	return dst
}

// fill spells the values of all edges of the batch, of fixed width, into records that
// have been zeroed but for their ends and types.
func (e *encoder) fill(block []byte) {
	at := e.head() + e.nulls
	for j, c := range e.columns {
		width, marks := e.shapes[j].Width, e.head()+j/8
		for i, from := 0, 0; from < len(block); i, from = i+1, from+e.fixed {
			switch {
			case c == nil || c.Null(i):
				block[from+marks] |= 1 << (j % 8)
			case width == 8:
				binary.LittleEndian.PutUint64(block[from+at:], binary.LittleEndian.Uint64(c.Values[8*(c.First+i):]))
			default:
				c.Append(block[from+at:from+at], i)
			}
		}
		at += width
	}
}

// size is the length of the record that src begins with.
func (f *recordForm) size(src []byte) int {
	if f.exact {
		return f.fixed
	}
	rest := src[f.fixed:]
	for j, s := range f.shapes {
		if !s.Fixed() && !f.null(src, j) {
			rest = skip(s, rest)
		}
	}
	return len(src) - len(rest)
}

func (f *recordForm) null(record []byte, field int) bool {
	return record[f.head()+field/8]>>(field%8)&1 != 0
}

// skip is src without the value that it begins with.
func skip(s arrays.Shape, src []byte) []byte {
	if s.Fixed() {
		return src[s.Width:]
	}
	n, size := binary.Uvarint(src)
	src = src[size:]
	if s.Element == nil {
		return src[n:]
	}
	element := arrays.ShapeOf(s.Element)
	for range n {
		if src[0] == 0 {
			src = src[1:]
		} else {
			src = skip(element, src[1:])
		}
	}
	return src
}
