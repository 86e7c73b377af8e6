package delta

import (
	"encoding/binary"
	"errors"

	"github.com/penstock-db/penstock/formats/value"
)

// Names gives names tokens, and tokens names.
type Names interface {
	Name(t Token) string
	Token(name string) Token
}

// Vocabulary is the names of a graph's labels, relationship types and property keys.
type Vocabulary struct{ Labels, Types, Keys Names }

// What a record in a commit is followed by.
const (
	deletedFlag = 1
	labeledFlag = 2
)

// Append encodes changes behind dst:
//
//	names of labels | of types | of keys        which the rest numbers from 0 on
//	node count | label counts
//	nodes: id, flags, labels, properties
//	relationships: id, flags, start, end, type, properties
//
// Tokens differ from one opening of the database to the next, names do not.
func (c *Changes) Append(dst []byte, v Vocabulary) []byte {
	e := encoder{labels: newTable(v.Labels), types: newTable(v.Types), keys: newTable(v.Keys)}
	e.counts(c)
	e.uint(uint64(len(c.Nodes)))
	for _, n := range c.Nodes {
		e.node(n)
	}
	e.uint(uint64(len(c.Relationships)))
	for _, r := range c.Relationships {
		e.relationship(r)
	}
	for _, t := range []*table{e.labels, e.types, e.keys} {
		dst = binary.AppendUvarint(dst, uint64(len(t.order)))
		for _, token := range t.order {
			name := t.names.Name(token)
			dst = append(binary.AppendUvarint(dst, uint64(len(name))), name...)
		}
	}
	return append(dst, e.dst...)
}

// table numbers tokens as they are met.
type table struct {
	names Names
	codes map[Token]uint64
	order []Token
}

func newTable(n Names) *table { return &table{names: n, codes: map[Token]uint64{}} }

func (t *table) code(token Token) uint64 {
	code, ok := t.codes[token]
	if !ok {
		code = uint64(len(t.order))
		t.codes[token] = code
		t.order = append(t.order, token)
	}
	return code
}

type encoder struct {
	dst                 []byte
	labels, types, keys *table
}

func (e *encoder) uint(n uint64) { e.dst = binary.AppendUvarint(e.dst, n) }

func (e *encoder) counts(c *Changes) {
	e.dst = binary.AppendVarint(e.dst, c.NodeCount)
	e.uint(uint64(len(c.LabelCounts)))
	for l, n := range c.LabelCounts {
		e.uint(e.labels.code(Token(l)))
		e.dst = binary.AppendVarint(e.dst, n)
	}
}

func (e *encoder) node(n NodeChange) {
	e.uint(n.ID)
	e.uint(flags(n.Deleted, n.Labeled))
	if n.Deleted {
		return
	}
	if n.Labeled {
		e.uint(uint64(len(n.Labels)))
		for _, l := range n.Labels {
			e.uint(e.labels.code(l))
		}
	}
	e.properties(n.Properties)
}

func (e *encoder) relationship(r RelationshipChange) {
	e.uint(r.ID)
	e.uint(flags(r.Deleted, false))
	e.uint(r.Start)
	e.uint(r.End)
	e.uint(e.types.code(r.Type))
	e.properties(r.Properties)
}

func flags(deleted, labeled bool) (f uint64) {
	if deleted {
		f |= deletedFlag
	}
	if labeled {
		f |= labeledFlag
	}
	return f
}

func (e *encoder) properties(all []Property) {
	e.uint(uint64(len(all)))
	for _, p := range all {
		e.uint(e.keys.code(p.Key))
		e.dst = value.Append(e.dst, p.Value)
	}
}

// errEncoding says that bytes passed their checksum and yet are no changes.
var errEncoding = errors.New("it holds no changes")

// Decode is the inverse of Append.
func Decode(src []byte, v Vocabulary) (*Changes, error) {
	d := decoder{src: src}
	d.labels, d.types, d.keys = d.names(v.Labels), d.names(v.Types), d.names(v.Keys)
	c := &Changes{NodeCount: d.int()}
	for range d.len() {
		label, n := d.token(d.labels), d.int()
		c.LabelCounts = add(c.LabelCounts, label, n)
	}
	for range d.len() {
		c.Nodes = append(c.Nodes, d.node())
	}
	for range d.len() {
		c.Relationships = append(c.Relationships, d.relationship())
	}
	if d.bad || len(d.src) > 0 {
		return nil, errEncoding
	}
	return c, nil
}

// decoder takes what Append has written off src; after the first mistake all is zero.
type decoder struct {
	src                 []byte
	labels, types, keys []Token
	bad                 bool
}

func (d *decoder) fail() {
	d.bad, d.src = true, nil
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.src)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.src = d.src[size:]
	return n
}

func (d *decoder) int() int64 {
	n, size := binary.Varint(d.src)
	if size <= 0 {
		d.fail()
		return 0
	}
	d.src = d.src[size:]
	return n
}

// len is how many follow: each takes a byte at least.
func (d *decoder) len() int {
	n := d.uint()
	if n > uint64(len(d.src)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) names(names Names) (tokens []Token) {
	for range d.len() {
		size := d.len()
		name := string(d.src[:size])
		d.src = d.src[size:]
		tokens = append(tokens, names.Token(name))
	}
	return tokens
}

func (d *decoder) token(tokens []Token) Token {
	n := d.uint()
	if n >= uint64(len(tokens)) {
		d.fail()
		return 0
	}
	return tokens[n]
}

func (d *decoder) node() NodeChange {
	c := NodeChange{d.uint(), new(Node)}
	f := d.uint()
	c.Deleted, c.Labeled = f&deletedFlag != 0, f&labeledFlag != 0
	if c.Deleted {
		return c
	}
	if c.Labeled {
		for range d.len() {
			c.Labels = insertToken(c.Labels, d.token(d.labels))
		}
	}
	c.Properties = d.properties()
	return c
}

func (d *decoder) relationship() RelationshipChange {
	c := RelationshipChange{d.uint(), new(Relationship)}
	c.Deleted = d.uint()&deletedFlag != 0
	c.Start, c.End, c.Type = d.uint(), d.uint(), d.token(d.types)
	c.Properties = d.properties()
	return c
}

func (d *decoder) properties() (all []Property) {
	for range d.len() {
		key := d.token(d.keys)
		v, rest, err := value.Decode(d.src)
		if err != nil {
			d.fail()
			return nil
		}
		d.src = rest
		all = with(all, key, v)
	}
	return all
}
