package csv

import "strings"

// neptuneRoles are the system columns of Amazon Neptune's Gremlin load format. An
// edge's own ~id is left out: relationships have no user ids here.
var neptuneRoles = map[bool]map[string]role{
	false: {"~id": nodeID, "~label": label},
	true:  {"~id": ignored, "~label": relType, "~from": startID, "~to": endID},
}

// neptuneHeader reads headers as "~id,~label,code:string,dist:int" for vertices and
// "~id,~from,~to,~label" for edges. Types may have a cardinality, "(single)", which
// is ignored, and a date may have a time.
// Source: Amazon Neptune User Guide, "Gremlin load data format".
func neptuneHeader(names []string) ([]column, bool, *problem) {
	found, edges := false, false
	for _, name := range names {
		name = strings.ToLower(name)
		edges = edges || name == "~from" || name == "~to"
		found = found || edges || name == "~id"
	}
	if !found {
		return nil, false, nil
	}
	columns := make([]column, len(names))
	for i, field := range names {
		if r, ok := neptuneRoles[edges][strings.ToLower(field)]; ok {
			columns[i] = column{role: r}
			continue
		}
		var expected string
		if columns[i], expected = neptuneProperty(field); expected != "" {
			return nil, true, &problem{i, expected}
		}
	}
	return columns, true, nil
}

func neptuneProperty(field string) (column, string) {
	name, word, _ := cutHeader(field)
	switch strings.ToLower(word) {
	case "":
		word = "string"
	case "date":
		word = "datetime"
	}
	return typedColumn(name, word)
}
