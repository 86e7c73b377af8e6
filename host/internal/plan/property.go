package plan

import (
	"fmt"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/store"
)

// PropertyName is what a result column is called as a node property that is asked for under a name: the first column of
// each source so, with the source behind it, if there are several; others with the column's own name behind it.
func PropertyName(property string, place int, column, source string) string {
	switch {
	case place > 0:
		return property + "_" + column
	case source != "":
		return FromSource(property, source)
	}
	return property
}

// FromSource is the name of a result column from one of several sources.
func FromSource(name, source string) string { return name + "_" + source }

// checkProperty refuses names that the graph cannot have for the results, before these are computed.
func checkProperty(m *store.Manifest, req Request, results []algorithms.Column) error {
	if req.Property == "" {
		return nil
	}
	for _, column := range results {
		switch {
		case column.Steps != "":
			return &RowsError{req.Property, "column " + column.Name + " is paths, several of each vertex"}
		case column.Rows > 0:
			return &RowsError{req.Property, "its rows are no vertices"}
		}
	}
	sources := req.Sources
	if len(sources) == 0 {
		sources = []string{""}
	}
	for _, source := range sources {
		for place, column := range results {
			name := column.Name
			if source != "" {
				name = FromSource(name, source)
			}
			if err := m.CheckResultName(PropertyName(req.Property, place, name, source)); err != nil {
				return err
			}
		}
	}
	return nil
}

// RowsError says that a result is no property of vertices, and what it is.
type RowsError struct{ Property, Reason string }

func (e *RowsError) Error() string {
	return fmt.Sprintf("the result cannot be written as property %s: %s; write them to a file with --out, or let a statement stream them",
		e.Property, e.Reason)
}
