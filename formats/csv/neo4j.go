package csv

import "strings"

// neo4jRoles are the words after the colon in a header for neo4j-admin import.
var neo4jRoles = map[string]role{
	"ID": nodeID, "START_ID": startID, "END_ID": endID, "LABEL": label, "TYPE": relType, "IGNORE": ignored,
}

// neo4jHeader reads headers as neo4j-admin import defines them: "id:ID(Person)",
// "name", "age:int", ":LABEL"; ":START_ID(Person)", ":END_ID", ":TYPE". A header is
// one when any of its columns has such a role. A named id column is a string property too.
// Source: Neo4j Operations Manual, "Neo4j-admin import", CSV header format.
func neo4jHeader(names []string) ([]column, bool, *problem) {
	columns := make([]column, len(names))
	var wrong *problem
	found := false
	for i, field := range names {
		name, word, space := cutHeader(field)
		if r, ok := neo4jRoles[word]; ok {
			found = true
			columns[i] = roleColumn(r, name, space)
			continue
		}
		var expected string
		columns[i], expected = neo4jProperty(name, word, space)
		if expected != "" && wrong == nil {
			wrong = &problem{i, expected}
		}
	}
	if !found {
		return nil, false, nil
	}
	return columns, true, wrong
}

// cutHeader takes "name:word(space)" apart. A name may have colons of its own.
func cutHeader(field string) (name, word, space string) {
	if open := strings.LastIndexByte(field, '('); open >= 0 && strings.HasSuffix(field, ")") &&
		strings.Contains(field[:open], ":") {
		field, space = field[:open], field[open+1:len(field)-1]
	}
	colon := strings.LastIndexByte(field, ':')
	if colon < 0 {
		return field, "", ""
	}
	return field[:colon], field[colon+1:], space
}

func roleColumn(r role, name, space string) column {
	c := column{role: r, space: space}
	if r == nodeID && name != "" {
		c.name, c.valueType = name, valueType{scalar: stringType}
	}
	return c
}

func neo4jProperty(name, word, space string) (column, string) {
	switch {
	case word == "" && name == "":
		return column{}, "a name, or :IGNORE for a column to leave out"
	case word == "":
		return column{name: name, valueType: valueType{scalar: stringType}}, ""
	case space != "":
		return column{}, unknownType(word)
	}
	return typedColumn(name, word)
}
