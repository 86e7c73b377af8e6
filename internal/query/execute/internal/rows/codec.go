package rows

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/penstock-db/penstock/formats/value"
)

// How a value of a spilled row begins. Package value has no encoding for nodes and relationships:
// in a row they are ids, and so are they here.
const (
	plainValue = iota
	nodeValue
	relationshipValue
	pathValue
	listValue
	mapValue
)

var errSpilled = errors.New("execute: what was spilled can't be read back: the temporary file has been changed")

// appendRow encodes values.
func appendRow(dst []byte, row []value.Value) []byte {
	for _, v := range row {
		dst = appendValue(dst, v)
	}
	return dst
}

func appendValue(dst []byte, v value.Value) []byte {
	if !hasEntity(v) {
		return value.Append(append(dst, plainValue), v)
	}
	switch v.Kind() {
	case value.Node:
		return binary.AppendUvarint(append(dst, nodeValue), v.ID())
	case value.Relationship:
		return binary.AppendUvarint(append(dst, relationshipValue), v.ID())
	case value.Path:
		p := v.Path()
		dst = binary.AppendUvarint(append(dst, pathValue), uint64(len(p.Relationships)))
		return appendRow(appendRow(dst, p.Nodes), p.Relationships)
	case value.List:
		dst = binary.AppendUvarint(append(dst, listValue), uint64(len(v.List())))
		return appendRow(dst, v.List())
	}
	dst = binary.AppendUvarint(append(dst, mapValue), uint64(len(v.Map())))
	for _, e := range v.Map() {
		dst = appendValue(value.Append(dst, value.OfString(e.Key)), e.Value)
	}
	return dst
}

// hasEntity tells whether a node, relationship or path is in a value.
func hasEntity(v value.Value) bool {
	switch v.Kind() {
	case value.Node, value.Relationship, value.Path:
		return true
	case value.List:
		return slices.ContainsFunc(v.List(), hasEntity)
	case value.Map:
		return slices.ContainsFunc(v.Map(), func(e value.Entry) bool { return hasEntity(e.Value) })
	}
	return false
}

// decodeRow decodes as many values as row has.
func decodeRow(src []byte, row []value.Value) (rest []byte, err error) {
	for i := range row {
		if row[i], src, err = decodeValue(src); err != nil {
			return nil, err
		}
	}
	return src, nil
}

func decodeValue(src []byte) (value.Value, []byte, error) {
	if len(src) == 0 {
		return value.Value{}, nil, errSpilled
	}
	tag, src := src[0], src[1:]
	if tag == plainValue {
		return value.Decode(src)
	}
	n, width := binary.Uvarint(src)
	if width <= 0 {
		return value.Value{}, nil, errSpilled
	}
	src = src[width:]
	switch tag {
	case nodeValue:
		return value.OfNodeID(n), src, nil
	case relationshipValue:
		return value.OfRelationshipID(n), src, nil
	case mapValue:
		return decodeMap(src, n)
	}
	return decodeMany(src, tag, n)
}

// decodeMany decodes a list or a path of n elements or relationships.
func decodeMany(src []byte, tag byte, n uint64) (value.Value, []byte, error) {
	if n > uint64(len(src)) {
		return value.Value{}, nil, errSpilled
	}
	if tag == listValue {
		elements := make([]value.Value, n)
		src, err := decodeRow(src, elements)
		return value.OfList(elements), src, err
	}
	p := &value.PathContent{Nodes: make([]value.Value, n+1), Relationships: make([]value.Value, n)}
	src, err := decodeRow(src, p.Nodes)
	if err == nil {
		src, err = decodeRow(src, p.Relationships)
	}
	return value.OfPath(p), src, err
}

func decodeMap(src []byte, n uint64) (value.Value, []byte, error) {
	if n > uint64(len(src)) {
		return value.Value{}, nil, errSpilled
	}
	entries := make([]value.Entry, n)
	for i := range entries {
		key, rest, err := value.Decode(src)
		if err != nil || key.Kind() != value.String {
			return value.Value{}, nil, errSpilled
		}
		if entries[i].Value, src, err = decodeValue(rest); err != nil {
			return value.Value{}, nil, err
		}
		entries[i].Key = key.Str()
	}
	return value.OfEntries(entries), src, nil
}
