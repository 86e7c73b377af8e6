package store

import (
	"fmt"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/store/internal/failure"
)

// wrap is values as an Arrow array of type t, whose values must be as wide as T. It
// copies nothing: values must not change while the array lives.
func wrap[T int64 | uint32](t arrow.DataType, values []T) arrow.Array {
	data := array.NewData(t, len(values), []*memory.Buffer{nil, memory.NewBufferBytes(asBytes(values))}, nil, 0, 0)
	defer data.Release()
	return array.MakeFromData(data)
}

// asBytes is the memory of values.
func asBytes[T int64 | uint32 | int32](values []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(zero)))
}

// writeColumn stores values as a column of type t.
func writeColumn[T int64 | uint32](g *generation, name string, t arrow.DataType, values []T) (*Column, error) {
	w := g.newColumn(arrow.Field{Name: name, Type: t})
	a := wrap(t, values)
	defer a.Release()
	defer w.abandon()
	if err := w.append(a); err != nil {
		return nil, err
	}
	c, err := w.finish()
	return &c, err
}

// writeStrings stores texts as a column.
func writeStrings(g *generation, name string, texts func(yield func(string) bool)) (*Column, error) {
	w := g.newColumn(arrow.Field{Name: name, Type: arrow.BinaryTypes.String})
	defer w.abandon()
	b := array.NewStringBuilder(g.db.mem)
	defer b.Release()
	bytes := int64(0) // in b
	flush := func() error {
		a := b.NewArray()
		defer a.Release()
		return w.append(a)
	}
	for text := range texts {
		if bytes += int64(len(text)); bytes > mostValue {
			return nil, &failure.TooLargeError{What: fmt.Sprintf("bytes of %d %ss", b.Len()+1, name), Size: uint64(bytes), Limit: mostValue}
		}
		b.Append(text)
		if b.Len() == blockRows {
			if err := flush(); err != nil {
				return nil, err
			}
			bytes = 0
		}
	}
	if err := flush(); err != nil {
		return nil, err
	}
	c, err := w.finish()
	return &c, err
}
