package check

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/penstock-db/penstock/internal/query/ast"
)

// undefined says that there is no such variable, and which is near.
func (b bindings) undefined(name string, at ast.Position) {
	b.syntax("UndefinedVariable", at, "variable %s is not defined here%s", name, didYouMean(name, b.names()))
}

// didYouMean is " (did you mean …?)" for the nearest known name, or nothing when none is near.
func didYouMean(name string, known []string) string {
	best, distance := "", 1+min(2, len(name)/2)
	for _, k := range known {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", best)
}
