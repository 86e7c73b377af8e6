package algorithms

import (
	"fmt"
	"slices"
	"strings"
)

// Catalog are algorithms that a user can name.
type Catalog []*Algorithm

// Lookup finds an algorithm by its name or an alias. It fails with an *UnknownAlgorithmError.
func (c Catalog) Lookup(name string) (*Algorithm, error) {
	unknown := &UnknownAlgorithmError{Name: name}
	var names []string
	for _, a := range c {
		if a.Name == name || slices.Contains(a.Aliases, name) {
			return a, nil
		}
		unknown.Known = append(unknown.Known, a.Name)
		names = append(names, a.Name)
		names = append(names, a.Aliases...)
	}
	unknown.Nearest = nearest(name, names)
	return nil, unknown
}

// UnknownAlgorithmError is a name that the catalog does not have.
type UnknownAlgorithmError struct {
	Name    string
	Nearest string   // what was probably meant, or ""
	Known   []string // all names
}

func (e *UnknownAlgorithmError) Error() string {
	if e.Nearest != "" {
		return fmt.Sprintf("no algorithm is called %q; did you mean %s?", e.Name, e.Nearest)
	}
	return fmt.Sprintf("no algorithm is called %q; there are: %s", e.Name, strings.Join(e.Known, " "))
}
