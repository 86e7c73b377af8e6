package host

// PropertyName is what a result column is called as a node property that is asked for under a name: the first column of each
// source so, with the source behind it, if there are several; others with the column's own name behind it.
func PropertyName(property string, place int, column, source string) string {
	switch {
	case place > 0:
		return property + "_" + column
	case source != "":
		return FromSource(property, source)
	}
	return property
}

// checkProperty refuses names that the graph cannot have for the results, before these are computed.
func (r *run) checkProperty() error {
	if r.req.Property == "" {
		return nil
	}
	sources := r.req.Sources
	if len(sources) == 0 {
		sources = []string{""}
	}
	for _, source := range sources {
		for place, column := range r.results {
			name := column.Name
			if source != "" {
				name = FromSource(name, source)
			}
			if err := r.snap.Manifest().CheckResultName(PropertyName(r.req.Property, place, name, source)); err != nil {
				return err
			}
		}
	}
	return nil
}
