package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
)

// MarshalJSON is the value as JSON has it: dates, durations and points are texts, nodes and
// relationships objects, numbers that JSON does not have null.
func (v Value) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v.plain())
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// plain is the value as encoding/json knows it.
func (v Value) plain() any {
	switch v.Kind() {
	case Null:
		return nil
	case Bool:
		return v.Bool()
	case Int:
		return v.Int()
	case Float:
		if math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0) {
			return nil
		}
		return v.Float()
	case String:
		return v.Str()
	case List:
		return v.List()
	case Map:
		return object(v.Map())
	case Node:
		n := v.Node()
		return map[string]any{"id": n.ID, "labels": n.Labels, "properties": object(n.Properties)}
	case Relationship:
		r := v.Relationship()
		return map[string]any{"id": r.ID, "type": r.Type, "start": r.Start, "end": r.End, "properties": object(r.Properties)}
	case Path:
		p := v.Path()
		return map[string]any{"nodes": p.Nodes, "relationships": p.Relationships}
	default:
		return v.Plain()
	}
}

func object(entries []Entry) map[string]Value {
	m := make(map[string]Value, len(entries))
	for _, e := range entries {
		m[e.Key] = e.Value
	}
	return m
}

// FromJSON is the value that a JSON text stands for. Numbers without a fraction or an exponent
// are integers.
func FromJSON(text []byte) (Value, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var parsed any
	if err := decoder.Decode(&parsed); err != nil {
		return Value{}, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return Value{}, errors.New("more than one JSON value")
	}
	return fromPlain(parsed)
}

func fromPlain(parsed any) (v Value, err error) {
	switch parsed := parsed.(type) {
	case bool:
		return OfBool(parsed), nil
	case json.Number:
		return ofNumber(parsed)
	case string:
		return OfString(parsed), nil
	case []any:
		elements := make([]Value, len(parsed))
		for i, e := range parsed {
			if elements[i], err = fromPlain(e); err != nil {
				return Value{}, err
			}
		}
		return OfList(elements), nil
	case map[string]any:
		entries := make(map[string]Value, len(parsed))
		for key, e := range parsed {
			if entries[key], err = fromPlain(e); err != nil {
				return Value{}, err
			}
		}
		return OfMap(entries), nil
	}
	return Value{}, nil
}

func ofNumber(n json.Number) (Value, error) {
	if i, err := n.Int64(); err == nil {
		return OfInt(i), nil
	}
	f, err := n.Float64()
	return OfFloat(f), err
}
