package csv

import (
	"slices"
	"strings"
)

// endNames are what the ends of an edge are called in a header of plain names.
var endNames = [][2]string{{"source", "target"}, {"src", "dst"}, {"from", "to"}}

// simpleHeader reads headers as "source,target,weight", of edges, and "id,name", of nodes: the
// other columns are properties, with a type after a colon or one inferred from the values.
// Capital letters do not matter in the names of ends and ids.
func simpleHeader(names []string) ([]column, bool, *problem) {
	if start, end := findEnds(names); start >= 0 {
		return edgeHeader(names, start, end)
	}
	id := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, "id") })
	return plainHeader(names, map[int]role{id: nodeID}, id >= 0)
}

// edgeHeader is simpleHeader with the ends in these columns; none are negative.
func edgeHeader(names []string, start, end int) ([]column, bool, *problem) {
	return plainHeader(names, map[int]role{start: startID, end: endID}, start >= 0 && end >= 0)
}

// plainHeader has columns with these roles; the others are properties.
func plainHeader(names []string, roles map[int]role, ok bool) ([]column, bool, *problem) {
	if !ok {
		return nil, false, nil
	}
	columns := make([]column, len(names))
	for i, field := range names {
		name, word, _ := cutHeader(field)
		expected := ""
		switch role, known := roles[i]; {
		case known:
			columns[i].role = role
		case field == "":
			expected = "a name for the column"
		case word == "":
			columns[i] = column{name: name, inferred: true}
		default:
			columns[i], expected = typedColumn(name, word)
		}
		if expected != "" {
			return nil, true, &problem{i, expected}
		}
	}
	return columns, true, nil
}

func findEnds(names []string) (start, end int) {
	lower := make([]string, len(names))
	for i, name := range names {
		lower[i] = strings.ToLower(name)
	}
	for _, ends := range endNames {
		start, end = slices.Index(lower, ends[0]), slices.Index(lower, ends[1])
		if start >= 0 && end >= 0 {
			return start, end
		}
	}
	return -1, -1
}
