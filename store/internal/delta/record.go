package delta

import (
	"slices"

	"github.com/penstock-db/penstock/formats/value"
)

// Token stands for the name of a label, a relationship type or a property.
type Token uint32

// Property is the value of a property; null: the base's value, if there is one, is removed.
type Property struct {
	Key   Token
	Value value.Value
}

// Node is what is known of a node beyond the base: all of a node that the base lacks.
type Node struct {
	owner      *owner
	Deleted    bool
	Labeled    bool       // Labels count instead of the base's
	Labels     []Token    // ascending
	Properties []Property // ascending by key; all others are the base's
}

// Relationship is the same of a relationship. Its ends and type are always known.
type Relationship struct {
	owner      *owner
	Deleted    bool
	Start, End uint64
	Type       Token
	Properties []Property
}

// Lookup finds the value of a key among properties.
func Lookup(properties []Property, key Token) (v value.Value, ok bool) {
	for i := range properties {
		if properties[i].Key == key {
			return properties[i].Value, true
		}
	}
	return v, false
}

// Sorted is properties in the order of their keys, as records have them.
func Sorted(properties []Property) []Property {
	slices.SortFunc(properties, func(a, b Property) int { return int(a.Key) - int(b.Key) })
	return properties
}

// with is properties, which may be changed in place, with the value of a key.
func with(properties []Property, key Token, v value.Value) []Property {
	at, ok := slices.BinarySearchFunc(properties, key, func(p Property, key Token) int { return int(p.Key) - int(key) })
	if ok {
		properties[at].Value = v
		return properties
	}
	return slices.Insert(properties, at, Property{key, v})
}

// insertToken is ascending tokens with one more.
func insertToken(tokens []Token, t Token) []Token {
	at, ok := slices.BinarySearch(tokens, t)
	if ok {
		return tokens
	}
	return slices.Insert(tokens, at, t)
}
