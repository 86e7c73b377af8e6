package store

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// writeColumn stores values as a column of type t.
func writeColumn[T int64 | uint32](g *generation, name string, t arrow.DataType, values []T) (*manifest.Column, error) {
	w := g.newColumn(arrow.Field{Name: name, Type: t})
	a := arrays.Wrap(t, values)
	defer a.Release()
	defer w.abandon()
	if err := w.append(a); err != nil {
		return nil, err
	}
	c, err := w.finish()
	return &c, err
}

// writeStrings stores texts as a column.
func writeStrings(g *generation, name string, texts func(yield func(string) bool)) (*manifest.Column, error) {
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
		if bytes += int64(len(text)); bytes > tree.MostValue {
			return nil, &failure.TooLargeError{What: fmt.Sprintf("bytes of %d %ss", b.Len()+1, name), Size: uint64(bytes), Limit: tree.MostValue}
		}
		b.Append(text)
		if b.Len() == manifest.BlockRows {
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
