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

func (t timing) milliseconds() string {
	if t.Stopped {
		return fmt.Sprintf("stopped after %.0f", slices.Max(t.Seconds)*1e3)
	}
	return fmt.Sprintf("%.1f (%.1f)", t.median()*1e3, slices.Min(t.Seconds)*1e3)
}

// over is the ratio of the medians and, in parentheses, of the least times.
func (t timing) over(other timing) string {
	least := slices.Min(other.Seconds)
	switch {
	case least == 0 || other.Stopped:
		return "–"
	case t.Stopped:
		return fmt.Sprintf("> %.2f", slices.Max(t.Seconds)/other.median())
	}
	return fmt.Sprintf("%.2f (%.2f)", t.median()/other.median(), slices.Min(t.Seconds)/least)
}

func (t timing) microseconds() string {
	return fmt.Sprintf("%.0f (%.0f)", t.median()*1e6, slices.Min(t.Seconds)*1e6)
}
