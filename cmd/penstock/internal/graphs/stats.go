package graphs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/stats"
)

// Stats is penstock stats.
type Stats struct {
	pictures string
	percents []float64
}

func (c *Stats) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "stats GRAPH",
		Short: "Count degrees and density, and draw them",
		Long: `Go through all of a graph and print how many vertices have which degree, how much of the
adjacency matrix is empty, and how dense the core is that vertices of the highest degree make:
what a device for matrices could be given, which leaves out empty rows. Fewer vertices may be
sparser than more: the table says so. --svg draws that: degrees on logarithmic axes, the
matrix as stored and by descending degree, the cores. Cores are named as 'run --core' does.

It takes one chunk and at most 24 bytes a vertex of memory. --json counts every degree by itself.`,
		Example:           "  penstock stats --db ./db votes --svg pictures",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: app.CompleteGraph,
	}
	cmd.Flags().StringVar(&c.pictures, "svg", "", "`directory` for a picture, GRAPH.svg")
	cmd.Flags().Float64SliceVar(&c.percents, "cores", nil,
		"how many of the vertices, in `percent`, cores have (default 50,25,10,5,1)")
	return cmd
}

func (c *Stats) Run(ctx context.Context, a *app.App, args []string) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		report, err := db.Stats(ctx, args[0], statsOptions(c.percents))
		var wrong *stats.OptionError
		if errors.As(err, &wrong) {
			return cli.UsageError{Err: err}
		}
		if err != nil {
			return err
		}
		if c.pictures != "" {
			if err := draw(a.Err, report, c.pictures); err != nil {
				return err
			}
		}
		if a.JSON {
			return a.PrintJSON(report)
		}
		printStats(a.Out, report)
		return nil
	})
}

func statsOptions(percents []float64) (o stats.Options) {
	for _, percent := range percents {
		o.Shares = append(o.Shares, percent/100)
	}
	return o
}

// draw writes the picture, and says so on notes. A graph's name may be no name of a file.
func draw(notes io.Writer, report *stats.Report, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name := filepath.Join(dir, url.PathEscape(report.Graph)+".svg")
	if err := cli.WriteFile(name, report.WriteSVG); err != nil {
		return err
	}
	fmt.Fprintln(notes, "drawn:", name)
	return nil
}

func printStats(w io.Writer, r *stats.Report) {
	t := terminal.NewTable(w)
	t.AppendRows([]table.Row{
		{"graph", r.Graph}, {"vertices", terminal.Count(r.Vertices)}, {"without an edge", terminal.Count(r.Isolated)},
		{"edges", terminal.Count(r.Edges) + " " + directedText(r.Directed)},
		{"sparsity", stats.Percent(1-r.Density) + " of the adjacency matrix is empty"},
	})
	for _, d := range r.Degrees {
		t.AppendRow(table.Row{d.Name, fmt.Sprintf("mean %.2f, median %s, largest %s", d.Mean,
			terminal.Count(uint64(d.Median)), terminal.Count(uint64(d.Largest())))})
	}
	t.Render()
	fmt.Fprintln(w)
	printDegrees(w, r)
	fmt.Fprintln(w)
	printCores(w, r)
}

// printDegrees has a line for the degrees from one power of two to the next.
func printDegrees(w io.Writer, r *stats.Report) {
	header, largest := []any{"degree"}, uint32(0)
	for _, d := range r.Degrees {
		header = append(header, "vertices of that "+d.Name, "or higher")
		largest = max(largest, d.Largest())
	}
	t := terminal.NewTable(w, header...)
	for low := uint64(0); low <= uint64(largest); low = max(1, 2*low) {
		high := max(1, 2*low) - 1
		row := table.Row{degreesText(low, high)}
		for _, d := range r.Degrees {
			row = append(row, terminal.Count(d.AtLeast(low)-d.AtLeast(high+1)),
				stats.Percent(float64(d.AtLeast(low))/float64(max(r.Vertices, 1))))
		}
		t.AppendRow(row)
	}
	t.Render()
}

func degreesText(low, high uint64) string {
	if low == high {
		return terminal.Count(low)
	}
	return terminal.Count(low) + " to " + terminal.Count(high)
}

// printCores names cores as --core does: those of highest degree, and windows if the graph is
// stored by communities.
func printCores(w io.Writer, r *stats.Report) {
	t := terminal.NewTable(w, "core", "vertices", "with an edge in it", "edges in it", "entries a vertex", "density",
		"and with empty rows")
	for i, c := range slices.Concat(r.Cores, r.Windows) {
		kind := core.Degree
		if i >= len(r.Cores) {
			kind = core.Rabbit
		}
		t.AppendRow(table.Row{fmt.Sprintf("%s:%g%%", kind, 100*c.Share), terminal.Count(c.Vertices), terminal.Count(c.Linked),
			stats.Percent(c.Inside),
			fmt.Sprintf("%.1f", float64(c.Entries)/float64(max(c.Linked, 1))), densityText(c.Density, c.Sparser),
			densityText(c.Uncompacted, c.UncompactedSparser)})
	}
	t.Render()
}

// densityText remarks where a larger core is denser.
func densityText(density float64, sparser bool) string {
	if sparser {
		return stats.Percent(density) + ", sparser"
	}
	return stats.Percent(density)
}
