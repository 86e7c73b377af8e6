package manifest

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/penstock-db/penstock/store/internal/failure"
)

// NewProperty describes a property whose values are yet to be stored.
func NewProperty(field arrow.Field) (Property, error) {
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

// CheckResultName tells why a result cannot be written as a node property of this name.
//
// Errors: *PropertyError.
func (m *Manifest) CheckResultName(name string) error {
	if name == IdProperty && !m.Anonymous {
		return &failure.PropertyError{Name: name, Reason: "is by which statements see the ids of the graph's nodes; choose another name"}
	}
	return checkResultName(name, m.NodeProperties)
}

// CheckEdgeResultName tells why a result cannot be written as an edge property of this name.
//
// Errors: *PropertyError.
func (m *Manifest) CheckEdgeResultName(name string) error {
	return checkResultName(name, m.EdgeProperties)
}

func checkResultName(name string, known []Property) error {
	loaded := slices.ContainsFunc(known, func(p Property) bool { return p.Name == name && p.Provenance == nil })
	switch {
	case name == "":
		return &failure.PropertyError{Name: name, Reason: "needs a name"}
	case strings.HasPrefix(name, ":"): // ":ID" and the like in the files of exporters
		return &failure.PropertyError{Name: name, Reason: "begins with ':', as no property does; choose another name"}
	case !utf8.ValidString(name):
		return &failure.PropertyError{Name: name, Reason: "is not valid UTF-8; choose another name"}
	case loaded:
		return &failure.PropertyError{Name: name, Reason: "was loaded with the graph and is not replaced by a result; choose another name"}
	}
	return nil
}
