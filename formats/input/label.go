package input

import (
	"os"
	"strings"
)

// SplitLabel takes a path "Person=people.csv" apart. A path that exists as it stands,
// or whose part before the '=' names a folder, has no label.
func SplitLabel(path string) (label, rest string) {
	label, rest, found := strings.Cut(path, "=")
	if !found || label == "" || strings.ContainsAny(label, `/\`) {
		return "", path
	}
	if _, err := os.Stat(path); err == nil {
		return "", path
	}
	// As with neo4j-admin import, a colon parts several labels.
	return strings.ReplaceAll(label, ":", ";"), rest
}
