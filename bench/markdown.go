package bench

import (
	"fmt"
	"slices"
	"strings"
)

func header(b *strings.Builder, cells ...string) {
	line(b, cells...)
	line(b, slices.Repeat([]string{"---"}, len(cells))...)
}

func line(b *strings.Builder, cells ...string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

func (t times) milliseconds() string {
	return fmt.Sprintf("%.1f (%.1f)", t.median()*1e3, slices.Min(t)*1e3)
}

// over is the ratio of the medians and, in parentheses, of the least times.
func (t times) over(other times) string {
	if slices.Min(other) == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f (%.2f)", t.median()/other.median(), slices.Min(t)/slices.Min(other))
}
