package manual

import (
	"strings"

	"github.com/penstock-db/penstock/algorithms"
)

// Gives lists the columns of a result.
func Gives(a *algorithms.Algorithm) string {
	var all []string
	for _, c := range a.Result {
		text := c.Name + " (" + c.Type.String() + ")"
		if c.Width != "" {
			text = c.Name + " (list of " + c.Type.String() + ")"
		}
		all = append(all, text)
	}
	if a.Shape == algorithms.OfRows {
		return "rows of " + strings.Join(all, ", ")
	}
	return strings.Join(all, ", ")
}

// Required says whether a parameter has to be given.
func Required(p algorithms.Param) bool { return p.Default == "" && !p.Optional }

// Default is what a parameter is when it is not given, or that it has to be.
func Default(p algorithms.Param) string {
	if Required(p) {
		return "(required)"
	}
	return p.Default
}

// Describe says what a parameter is, and what it may be.
func Describe(p algorithms.Param) string {
	if len(p.Choices) == 0 {
		return p.Doc
	}
	return p.Doc + ": " + strings.Join(p.Choices, ", ")
}
