package store

import (
	"bytes"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/penstock-db/penstock/store/internal/failure"
)

// newProperty describes a property whose values are yet to be stored.
func newProperty(field arrow.Field) (Property, error) {
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(arrow.NewSchema([]arrow.Field{field}, nil)))
	if err := w.Close(); err != nil {
		return Property{}, err
	}
	return Property{Name: field.Name, Type: field.Type.String(), Schema: b.Bytes()}, nil
}

// Field is the property's Arrow field.
func (p Property) Field() (arrow.Field, error) {
	r, err := ipc.NewReader(bytes.NewReader(p.Schema))
	if err != nil {
		return arrow.Field{}, &failure.PropertyError{Name: p.Name, Reason: "has a damaged type: " + err.Error()}
	}
	defer r.Release()
	if r.Schema().NumFields() != 1 {
		return arrow.Field{}, &failure.PropertyError{Name: p.Name, Reason: "has a damaged type"}
	}
	field := r.Schema().Field(0)
	field.Name = p.Name // which may have been changed since
	return field, nil
}
