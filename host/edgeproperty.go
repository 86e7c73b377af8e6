package host

import (
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/host/internal/dataset"
	"github.com/penstock-db/penstock/store"
)

// edgeProperty is the numeric edge property that is read: the one that is named, else the first of the usual ones that
// edges have. Empty: there is none, and each edge counts once.
//
// Errors: *RequestError where edges do not have what is named; *EdgeError where it has no numbers.
func edgeProperty(named string, m *store.Manifest, usual ...string) (string, error) {
	names := numericProperties(m)
	if named != "" {
		usual = []string{named}
	}
	for _, name := range usual {
		if slices.Contains(names, name) {
			return name, nil
		}
		at := slices.IndexFunc(m.EdgeProperties, func(p store.Property) bool { return p.Name == name })
		if at >= 0 {
			return "", &EdgeError{Graph: m.Graph, Property: name, Reason: dataset.NotNumbers(name, m.EdgeProperties[at].Type)}
		}
	}
	if named != "" {
		return "", &RequestError{Reason: fmt.Sprintf("edges have no numeric property %q; they have %v", named, names)}
	}
	return "", nil
}
