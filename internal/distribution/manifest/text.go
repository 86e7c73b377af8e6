package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Parse reads a manifest and checks it. strict refuses fields that this program does not know. path is for messages.
//
// Errors: *Error.
func Parse(text []byte, path string, strict bool) (*Manifest, error) {
	asJSON, err := toJSON(text)
	if err != nil {
		return nil, &Error{File: path, Err: err}
	}
	decoder := json.NewDecoder(bytes.NewReader(asJSON))
	if strict {
		decoder.DisallowUnknownFields()
	}
	m := &Manifest{}
	if err := decoder.Decode(m); err != nil {
		return nil, &Error{File: path, Err: inWords(err)}
	}
	if m.Kind == "" {
		m.Kind = KindDevice
	}
	return m, m.Check(path)
}

// Text is the manifest as YAML, the same for the same manifest.
func (m *Manifest) Text() ([]byte, error) {
	asJSON, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	var node yaml.Node
	if err := yaml.Unmarshal(asJSON, &node); err != nil {
		return nil, err
	}
	inBlocks(&node)
	return yaml.Marshal(&node)
}

// inBlocks has a node written as people write YAML, line by line.
func inBlocks(node *yaml.Node) {
	node.Style = 0
	for _, child := range node.Content {
		inBlocks(child)
	}
}

// maxDepth of a manifest, which has no more than a handful.
const maxDepth = 16

// toJSON reads JSON, or YAML without what makes little text large: references.
func toJSON(text []byte) ([]byte, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("it has %d bytes, more than %d", len(text), MaxBytes)
	}
	if json.Valid(text) { // which may have tabs where YAML may not
		return text, nil
	}
	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil {
		return nil, err
	}
	if node.Kind == 0 {
		return nil, errors.New("it is empty")
	}
	if err := checkNode(&node, 0); err != nil {
		return nil, err
	}
	var value any
	if err := node.Decode(&value); err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

func checkNode(node *yaml.Node, depth int) error {
	switch {
	case node.Kind == yaml.AliasNode || node.Anchor != "":
		return fmt.Errorf("line %d: anchors and aliases are not allowed", node.Line)
	case node.Tag == "!!merge":
		return fmt.Errorf("line %d: << is not allowed", node.Line)
	case depth > maxDepth:
		return fmt.Errorf("line %d: it is nested more than %d deep", node.Line, maxDepth)
	}
	for _, child := range node.Content {
		if err := checkNode(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// inWords says what a field must be, instead of how Go calls it.
func inWords(err error) error {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		kind := map[string]string{"string": "a text: put it in quotes", "int": "a whole number", "int64": "a whole number",
			"bool": "true or false"}[wrong.Type.Kind().String()]
		if kind == "" {
			kind = "a list or fields of its own"
		}
		return fmt.Errorf("field %q is a %s, but must be %s", wrong.Field, wrong.Value, kind)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}
