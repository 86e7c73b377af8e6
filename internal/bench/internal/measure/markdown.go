package measure

import (
	"fmt"
	"slices"
	"strings"
)

func Header(b *strings.Builder, cells ...string) {
	Line(b, cells...)
	Line(b, slices.Repeat([]string{"---"}, len(cells))...)
}

func Line(b *strings.Builder, cells ...string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

func (t Timing) Milliseconds() string {
	if t.Stopped {
		return fmt.Sprintf("stopped after %.0f", slices.Max(t.Seconds)*1e3)
	}
	return fmt.Sprintf("%.1f (%.1f)", t.Median()*1e3, slices.Min(t.Seconds)*1e3)
}

// Over is the ratio of the medians and, in parentheses, of the least times.
func (t Timing) Over(other Timing) string {
	least := slices.Min(other.Seconds)
	switch {
	case least == 0 || other.Stopped:
		return "–"
	case t.Stopped:
		return fmt.Sprintf("> %.2f", slices.Max(t.Seconds)/other.Median())
	}
	return fmt.Sprintf("%.2f (%.2f)", t.Median()/other.Median(), slices.Min(t.Seconds)/least)
}

func (t Timing) Microseconds() string {
	return fmt.Sprintf("%.0f (%.0f)", t.Median()*1e6, slices.Min(t.Seconds)*1e6)
}
