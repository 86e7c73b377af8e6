package graphs

import (
	"fmt"
	"strings"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/internal/cli"
)

// parseSides reads what --left and --right say.
func parseSides(left, right string) (sides [2]formats.Side, _ error) {
	if left == "" && right == "" {
		return sides, nil
	}
	for i, text := range []string{left, right} {
		label, column, named := strings.Cut(text, ":")
		if label == "" || strings.ContainsAny(text, "; \t") || named && column == "" {
			return sides, cli.UsageError{Err: fmt.Errorf("--left %q --right %q: give both, each as Label, or as Label:column "+
				"of a CSV file", left, right)}
		}
		sides[i] = formats.Side{Label: label, Column: column}
	}
	if sides[0].Label == sides[1].Label {
		return sides, cli.UsageError{Err: fmt.Errorf("--left and --right are both %s: two labels tell the types of vertices "+
			"apart", sides[0].Label)}
	}
	if (sides[0].Column == "") != (sides[1].Column == "") {
		return sides, cli.UsageError{Err: fmt.Errorf("--left %s --right %s: name the columns of both, or of neither", left,
			right)}
	}
	return sides, nil
}
