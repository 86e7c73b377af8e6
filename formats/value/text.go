package value

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Text is the value as openCypher's literals have it: 'abc', [1, 2], {a: 1}, (:A {x: 1}),
// [:T {y: 2}], <(:A)-[:T]->(:B)>; temporal values stand as strings. Nodes and relationships of
// which only the id is at hand are (#1) and [#1].
func (v Value) Text() string { return string(v.appendText(nil)) }

func (v Value) appendText(b []byte) []byte {
	switch v.kind {
	case Null:
		return append(b, "null"...)
	case Bool:
		return strconv.AppendBool(b, v.Bool())
	case Int:
		return strconv.AppendInt(b, v.Int(), 10)
	case Float:
		return appendFloat(b, v.Float())
	case String:
		return appendQuoted(b, v.Str())
	case List:
		return appendList(b, v.List())
	case Map:
		return appendMap(b, v.Map())
	case Node:
		return appendNode(b, v)
	case Relationship:
		return appendRelationship(b, v)
	case Path:
		return appendPath(b, v.Path())
	case Point:
		return appendPoint(b, v.Point())
	}
	return append(v.appendISO(append(b, '\'')), '\'')
}

// appendFloat writes as few digits as tell the float from all others. It always looks like a
// float; those far from 1 have an exponent.
func appendFloat(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, "NaN"...)
	case math.IsInf(f, 0):
		return append(b, strings.TrimPrefix(strconv.FormatFloat(f, 'f', -1, 64)+"inity", "+")...)
	case f != 0 && (math.Abs(f) < 1e-6 || math.Abs(f) >= 1e21):
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
		n, _ := strconv.Atoi(exponent) // of our own making
		return strconv.AppendInt(append(append(b, mantissa...), 'e'), int64(n), 10)
	}
	from := len(b)
	b = strconv.AppendFloat(b, f, 'f', -1, 64)
	if strings.IndexByte(string(b[from:]), '.') < 0 {
		b = append(b, ".0"...)
	}
	return b
}

var escapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\b", `\b`, "\f", `\f`)

func appendQuoted(b []byte, s string) []byte {
	s = escapes.Replace(s)
	if !strings.ContainsFunc(s, unicode.IsControl) {
		return append(append(append(b, '\''), s...), '\'')
	}
	b = append(b, '\'')
	for _, r := range s {
		if unicode.IsControl(r) { // a terminal would obey
			b = fmt.Appendf(b, `\u%04x`, r)
			continue
		}
		b = utf8.AppendRune(b, r)
	}
	return append(b, '\'')
}

func appendList(b []byte, elements []Value) []byte {
	b = append(b, '[')
	for i, e := range elements {
		b = e.appendText(appendComma(b, i))
	}
	return append(b, ']')
}

func appendMap(b []byte, entries []Entry) []byte {
	b = append(b, '{')
	for i, e := range entries {
		b = e.Value.appendText(append(appendName(appendComma(b, i), e.Key), ": "...))
	}
	return append(b, '}')
}

func appendComma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ", "...)
	}
	return b
}

var plain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL_][\pL\pN_]*$`) })

// appendName quotes names that are no identifiers.
func appendName(b []byte, name string) []byte {
	if plain().MatchString(name) {
		return append(b, name...)
	}
	return append(append(append(b, '`'), strings.ReplaceAll(name, "`", "``")...), '`')
}

func appendID(b []byte, v Value) []byte {
	return strconv.AppendUint(append(b, '#'), v.bits, 10)
}

func appendNode(b []byte, v Value) []byte {
	b = append(b, '(')
	n := v.Node()
	if n == nil {
		return append(appendID(b, v), ')')
	}
	for _, label := range n.Labels {
		b = appendName(append(b, ':'), label)
	}
	return append(appendProperties(b, n.Properties, len(n.Labels) > 0), ')')
}

func appendRelationship(b []byte, v Value) []byte {
	b = append(b, '[')
	r := v.Relationship()
	if r == nil {
		return append(appendID(b, v), ']')
	}
	return append(appendProperties(appendName(append(b, ':'), r.Type), r.Properties, true), ']')
}

func appendProperties(b []byte, entries []Entry, apart bool) []byte {
	if len(entries) == 0 {
		return b
	}
	if apart {
		b = append(b, ' ')
	}
	return appendMap(b, entries)
}

func appendPath(b []byte, p *PathContent) []byte {
	b = append(b, '<')
	for i, n := range p.Nodes {
		if i > 0 {
			b = appendStep(b, p.Nodes[i-1], p.Relationships[i-1])
		}
		b = appendNode(b, n)
	}
	return append(b, '>')
}

// appendStep shows which way the path goes along the relationship.
func appendStep(b []byte, from, along Value) []byte {
	before, after := "-", "->"
	if r := along.Relationship(); r == nil {
		after = "-"
	} else if r.Start != from.ID() {
		before, after = "<-", "-"
	}
	return append(appendRelationship(append(b, before...), along), after...)
}

func appendPoint(b []byte, p Place) []byte {
	b = appendFloat(append(b, "point({x: "...), p.X)
	b = appendFloat(append(b, ", y: "...), p.Y)
	if p.Dimensions() == 3 {
		b = appendFloat(append(b, ", z: "...), p.Z)
	}
	return append(appendQuoted(append(b, ", crs: "...), p.System()), "})"...)
}
