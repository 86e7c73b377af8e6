package generation

import (
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// WriteColumn stores values as a column of type t.
func WriteColumn[T int64 | uint32](g *Generation, name string, t arrow.DataType, values []T) (*manifest.Column, error) {
	w := g.NewColumn(arrow.Field{Name: name, Type: t})
	a := arrays.Wrap(t, values)
	defer a.Release()
	defer w.Abandon()
	if err := w.Append(a); err != nil {
		return nil, err
	}
	c, err := w.Finish()
	return &c, err
}

// WriteStrings stores texts as a column.
func WriteStrings(g *Generation, name string, texts func(yield func(string) bool)) (*manifest.Column, error) {
	w := g.NewColumn(arrow.Field{Name: name, Type: arrow.BinaryTypes.String})
	defer w.Abandon()
	b := array.NewStringBuilder(g.Mem)
	defer b.Release()
	bytes := int64(0) // in b
	flush := func() error {
		a := b.NewArray()
		defer a.Release()
		return w.Append(a)
	}
	for text := range texts {
		if bytes += int64(len(text)); bytes > tree.MostValue {
			return nil, &failure.TooLargeError{What: fmt.Sprintf("bytes of %d %ss", b.Len()+1, name), Size: uint64(bytes),
				Limit: tree.MostValue}
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
	c, err := w.Finish()
	return &c, err
}

// WriteProperty stores a node property.
func (g *Generation) WriteProperty(name string, values arrow.Array, run manifest.Provenance) (manifest.Property,
	error) {
	w := g.NewColumn(arrow.Field{Name: name, Type: values.DataType(), Nullable: true})
	defer w.Abandon()
	if err := w.Append(values); err != nil {
		return manifest.Property{}, err
	}
	column, err := w.Finish()
	if err != nil {
		return manifest.Property{}, err
	}
	p, err := manifest.NewProperty(w.Field)
	p.Column, p.Provenance = column, &run
	return p, err
}
