package neural

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Parse reads a model from YAML, the form in which it is kept. Fields are those of Model; training that is not given is
// that of Kipf and Welling.
//
// Errors: *ModelError.
func Parse(name string, text []byte) (Model, error) {
	m := Model{Name: name, Training: kipf}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	err := d.Decode(&m)
	var types *yaml.TypeError
	switch {
	case errors.Is(err, io.EOF):
		return m, &ModelError{name, "the file is empty"}
	case errors.As(err, &types):
		return m, &ModelError{name, strings.Join(types.Errors, "; ")}
	case err != nil:
		return m, &ModelError{name, err.Error()}
	case m.Name == "":
		m.Name = name
	}
	return m, nil
}

// UnknownModelError says that there is no built-in model of a name.
type UnknownModelError struct {
	Name   string
	Others []string // names that are models, though no networks
}

func (e *UnknownModelError) Error() string {
	return fmt.Sprintf("there is no model %q: it is one of %s, or a YAML file", e.Name, strings.Join(append(AllNames(), e.Others...), ", "))
}
