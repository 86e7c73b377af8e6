package host

import (
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/store"
)

// edgeProperty is the numeric edge property that is read: the one that is named, else the first of the usual ones that
// edges have. Empty: there is none, and each edge counts once.
//
// Errors: *RequestError where edges do not have what is named.
func edgeProperty(named string, m *store.Manifest, usual ...string) (string, error) {
	names := numericProperties(m)
	if named != "" {
		if !slices.Contains(names, named) {
			return "", &RequestError{Reason: fmt.Sprintf("edges have no numeric property %q; they have %v", named, names)}
		}
		return named, nil
	}
	for _, name := range usual {
		if slices.Contains(names, name) {
			return name, nil
		}
	}
	return "", nil
}
