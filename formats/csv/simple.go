package csv

import (
	"slices"
	"strings"
)

// endNames are what the ends of an edge are called in a header of plain names.
var endNames = [][2]string{{"source", "target"}, {"src", "dst"}, {"from", "to"}}

// simpleHeader reads headers as "source,target,weight": an edge file whose other
// columns are properties, with a type after a colon or one inferred from the values.
// Capital letters do not matter in the names of the ends.
func simpleHeader(names []string) ([]column, bool, *problem) {
	start, end := findEnds(names)
	return edgeHeader(names, start, end)
}

// edgeHeader is simpleHeader with the ends in these columns; none are negative.
func edgeHeader(names []string, start, end int) ([]column, bool, *problem) {
	if start < 0 || end < 0 {
		return nil, false, nil
	}
	columns := make([]column, len(names))
	for i, field := range names {
		name, word, _ := cutHeader(field)
		expected := ""
		switch {
		case i == start:
			columns[i].role = startID
		case i == end:
			columns[i].role = endID
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
