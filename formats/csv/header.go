package csv

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/penstock-db/penstock/formats"
)

// role is what a column holds.
type role uint8

const (
	property role = iota
	nodeID
	startID
	endID
	label
	relType
	ignored
)

// column is one field of a header.
type column struct {
	role
	name      string // of the property; "" when the column is none
	space     string // the id space of an id column, "" for the global one
	valueType        // of the property
	inferred  bool   // the type is still to be found from the values
	at        formats.Position
}

// dialect reads headers of one style. It is false for a header in another style.
type dialect func(names []string) ([]column, bool, *problem)

// dialects in the order in which a header is tried.
var dialects = []dialect{neo4jHeader, neptuneHeader, simpleHeader}

// problem is what is wrong with the header field number field.
type problem struct {
	field    int
	expected string
}

// header is what the first record of a file says of the others.
type header struct {
	columns []column
	edges   bool
}

// maxSpace is the longest name of an id space, in bytes.
const maxSpace = 255

const expectedHeader = `a header such as ":ID,name,:LABEL" for nodes, ":START_ID,:END_ID,:TYPE,weight:double" for relationships, or plain names: "id,name" for nodes, "source,target,weight" for relationships`

// readHeader takes the file's first record as its header.
func readHeader(r *records, dialects []dialect) (*header, error) {
	names := make([]string, len(r.fields))
	for i := range names {
		names[i] = string(r.token(i))
	}
	for _, d := range dialects {
		columns, ok, wrong := d(names)
		if wrong != nil {
			return nil, r.bad(r.fields[wrong.field], wrong.expected)
		}
		if ok {
			return newHeader(r, columns)
		}
	}
	return nil, &formats.ParseError{
		Position: formats.Position{File: r.lines.Position().File, Line: r.line()},
		Found:    "a header that names neither nodes nor relationships", Expected: expectedHeader,
	}
}

// newHeader checks that the columns go together.
func newHeader(r *records, columns []column) (*header, error) {
	count := map[role]int{}
	properties := map[string]bool{}
	for i := range columns {
		c := &columns[i]
		c.at = r.at(r.fields[i])
		if len(c.space) > maxSpace {
			return nil, formats.TooLarge(c.at, "an id space", maxSpace, "bytes", "a shorter name")
		}
		count[c.role]++
		if c.role != property && c.role != ignored && count[c.role] > 1 {
			return nil, r.bad(r.fields[i], "one such column only")
		}
		if c.name != "" && properties[c.name] {
			return nil, r.bad(r.fields[i], "one column only of each name")
		}
		properties[c.name] = true
	}
	h := &header{columns: columns, edges: count[startID]+count[endID] > 0}
	return h, h.check(r, count)
}

func (h *header) check(r *records, count map[role]int) error {
	var expected string
	switch {
	case h.edges && count[nodeID] > 0:
		expected = "either a node's :ID or a relationship's :START_ID and :END_ID"
	case h.edges && count[startID] == 0:
		expected = "a column :START_ID beside :END_ID"
	case h.edges && count[endID] == 0:
		expected = "a column :END_ID beside :START_ID"
	case !h.edges && count[relType] > 0:
		expected = "columns :START_ID and :END_ID beside :TYPE"
	case !h.edges && count[nodeID] == 0:
		expected = "a column :ID"
	case h.edges && count[label] > 0:
		expected = "a relationship's :TYPE instead of :LABEL"
	default:
		return nil
	}
	return &formats.ParseError{
		Position: formats.Position{File: r.lines.Position().File, Line: r.line()}, Found: "this header", Expected: expected,
	}
}

// typedColumn is the property that "name:type" declares.
func typedColumn(name, typeName string) (column, string) {
	t, ok := typeNamed(typeName)
	if !ok {
		return column{}, unknownType(typeName)
	}
	if name == "" {
		return column{}, "a property name before the type"
	}
	return column{name: name, valueType: t}, ""
}

func unknownType(name string) string {
	const known = "string, int, long, short, byte, double, float, boolean, char, date, datetime, localdatetime, or one of them with []"
	best, nearest := 3, "" // at most two letters away
	for candidate := range scalars {
		d := levenshtein.ComputeDistance(strings.ToLower(name), candidate)
		if d < best || d == best && candidate < nearest {
			best, nearest = d, candidate
		}
	}
	if nearest == "" {
		return "a type: " + known
	}
	return fmt.Sprintf("a type: did you mean %q? Known are %s", nearest, known)
}
