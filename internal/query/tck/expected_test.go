package tck

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
)

// expected reads values as the kit writes them: 1, 'a', [1, 2], {k: 1}, (:L {k: 1}), [:T], and
// paths as <(:A)-[:T]->(:B)>.
type expected struct {
	text string
	at   int
}

// parse reads a whole cell.
func parse(cell string) (v value.Value, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("cell %q: %v", cell, cause)
		}
	}()
	e := &expected{text: cell}
	v = e.value()
	if e.space(); e.at != len(e.text) {
		panic("more than a value: " + e.text[e.at:])
	}
	return v, nil
}

func (e *expected) space() {
	for e.at < len(e.text) && e.text[e.at] == ' ' {
		e.at++
	}
}

// take skips a token if it comes next.
func (e *expected) take(token string) bool {
	if e.space(); !strings.HasPrefix(e.text[e.at:], token) {
		return false
	}
	e.at += len(token)
	return true
}

func (e *expected) must(token string) {
	if !e.take(token) {
		panic("no " + token + " at " + e.text[e.at:])
	}
}

func (e *expected) value() value.Value {
	e.space()
	rest := e.text[e.at:]
	switch {
	case strings.HasPrefix(rest, "'"):
		return value.OfString(e.quoted())
	case strings.HasPrefix(rest, "[:"):
		return value.OfRelationship(e.relationship())
	case e.take("["):
		return value.OfList(e.list())
	case strings.HasPrefix(rest, "{"):
		return value.OfEntries(e.entries())
	case strings.HasPrefix(rest, "("):
		return value.OfNode(e.node())
	case e.take("<"):
		return e.path()
	}
	return e.word()
}

func (e *expected) quoted() string {
	var b strings.Builder
	for e.at++; e.text[e.at] != '\''; e.at++ {
		if e.text[e.at] == '\\' {
			e.at++
		}
		b.WriteByte(e.text[e.at])
	}
	e.at++
	return b.String()
}

func (e *expected) list() (all []value.Value) {
	for !e.take("]") {
		all = append(all, e.value())
		e.take(",")
	}
	return all
}

func (e *expected) entries() (all []value.Entry) {
	for e.must("{"); !e.take("}"); e.take(",") {
		key := e.name()
		e.must(":")
		all = append(all, value.Entry{Key: key, Value: e.value()})
	}
	return all
}

// name is a key, label or type.
func (e *expected) name() string {
	e.space()
	if e.take("`") {
		end := strings.IndexByte(e.text[e.at:], '`')
		name := e.text[e.at : e.at+end]
		e.at += end + 1
		return name
	}
	end := strings.IndexAny(e.text[e.at:], " :,{}()[]<>")
	name := e.text[e.at : e.at+end]
	e.at += end
	return name
}

func (e *expected) properties() []value.Entry {
	if e.space(); e.text[e.at] != '{' {
		return nil
	}
	return value.OfEntries(e.entries()).Map()
}

func (e *expected) node() *value.NodeContent {
	var n value.NodeContent
	e.must("(")
	for e.take(":") {
		n.Labels = append(n.Labels, e.name())
	}
	n.Properties = e.properties()
	e.must(")")
	return &n
}

func (e *expected) relationship() *value.RelationshipContent {
	var r value.RelationshipContent
	e.must("[:")
	r.Type = e.name()
	r.Properties = e.properties()
	e.must("]")
	return &r
}

// path numbers its nodes, so that a relationship can say which way it runs.
func (e *expected) path() value.Value {
	var p value.PathContent
	for {
		n := e.node()
		n.ID = uint64(len(p.Nodes))
		p.Nodes = append(p.Nodes, value.OfNode(n))
		if e.take(">") {
			return value.OfPath(&p)
		}
		backwards := e.take("<-")
		if !backwards {
			e.must("-")
		}
		r := e.relationship()
		r.Start, r.End = n.ID, n.ID+1
		if backwards {
			r.Start, r.End = r.End, r.Start
			e.must("-")
		} else {
			e.must("->")
		}
		p.Relationships = append(p.Relationships, value.OfRelationship(r))
	}
}

// word is a number, or one of the names.
func (e *expected) word() value.Value {
	end := e.at
	for end < len(e.text) && !strings.ContainsRune(" ,]}", rune(e.text[end])) {
		end++
	}
	word := e.text[e.at:end]
	e.at = end
	switch word {
	case "null":
		return value.Value{}
	case "true", "false":
		return value.OfBool(word == "true")
	}
	if i, err := strconv.ParseInt(word, 0, 64); err == nil {
		return value.OfInt(i)
	}
	f, err := strconv.ParseFloat(word, 64)
	if err != nil {
		panic("neither a value nor a number: " + word)
	}
	return value.OfFloat(f)
}
