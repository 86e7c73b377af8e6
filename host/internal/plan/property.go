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
		if column.Steps != "" {
			return &PathsError{Property: req.Property, Column: column.Name}
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

// PathsError says that a result is paths, which are no property of vertices.
type PathsError struct{ Property, Column string }

func (e *PathsError) Error() string {
	return fmt.Sprintf("the result cannot be written as property %s: column %s is paths, several of each vertex; write them to a file with --out, or let a statement stream them",
		e.Property, e.Column)
}
