package compute

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/core"
)

// printCore says which dense core the second of two devices had, and what came of it.
func printCore(w io.Writer, c *host.CoreReport) {
	if c == nil {
		return
	}
	printOptions(w, c)
	switch {
	case c.Rule == core.None:
	case c.Alone != "":
		fmt.Fprintf(w, "the first device finished alone: %s\n", c.Alone)
	case c.Settled:
		fmt.Fprintf(
			w, "each device went on by itself; one took what the other had found %s times, %s of them with something new\n",
			terminal.Count(uint64(c.Merges)), terminal.Count(uint64(c.Useful)))
	default:
		fmt.Fprintf(w, "both devices in step; the first took what came along the core's edges %s times\n",
			terminal.Count(uint64(c.Merges)))
	}
}

// printOptions draws the cores that were looked at, the best first.
func printOptions(w io.Writer, c *host.CoreReport) {
	t := terminal.NewTable(w, "core", "vertices", "with edges", "edges inside", "of its matrix", "expected", "")
	for _, o := range c.Options {
		expected := ""
		if o.Seconds > 0 {
			expected = terminal.Seconds(o.Seconds)
		}
		t.AppendRow(table.Row{o.Rule, terminal.Count(o.Vertices), terminal.Count(o.Linked), terminal.Count(o.Entries),
			fmt.Sprintf("%.3g %%", 100*o.Density()), expected, note(c, o)})
	}
	if c.Without > 0 {
		t.AppendRow(table.Row{core.None, "", "", "", "", terminal.Seconds(c.Without), chosenText(c.Rule == core.None)})
	}
	t.Render()
}

// note is what is to be said of an option.
func note(c *host.CoreReport, o core.Option) string {
	switch {
	case o.Refused != "":
		return o.Refused
	case o.Rule == c.Rule:
		return chosenText(true)
	case o.Sparser:
		return "sparser than a larger one"
	}
	return ""
}

func chosenText(chosen bool) string {
	if chosen {
		return "chosen"
	}
	return ""
}
