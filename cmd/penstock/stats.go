package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/stats"
)

func (a *app) statsCommand() *cobra.Command {
	var pictures string
	var percents []float64
	cmd := &cobra.Command{
		Use:   "stats GRAPH",
		Short: "Count degrees and density, and draw them",
		Long: `Go through all of a graph and print how many vertices have which degree, how much of the
adjacency matrix is empty, and how dense the core is that vertices of the highest degree make:
what a device for matrices could be given, which leaves out empty rows. Fewer vertices may be
sparser than more: the table says so. --svg draws that: degrees on logarithmic axes, the
matrix as stored and by descending degree, the cores. Cores are named as 'run --core' does.

It takes one chunk and at most 24 bytes a vertex of memory. --json counts every degree by itself.`,
		Example: "  penstock stats --db ./db votes --svg pictures",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDB(penstock.Options{MustExist: true}, func(db *penstock.DB) error {
				report, err := db.Stats(cmd.Context(), args[0], statsOptions(percents))
				var wrong *stats.OptionError
				if errors.As(err, &wrong) {
					return cli.UsageError{Err: err}
				}
				if err != nil {
					return err
				}
				if pictures != "" {
					if err := a.draw(report, pictures); err != nil {
						return err
					}
				}
				if a.JSON {
					return a.PrintJSON(report)
				}
				a.printStats(report)
				return nil
			})
		},
	}
	cmd.Flags().StringVar(&pictures, "svg", "", "`directory` for a picture, GRAPH.svg")
	cmd.Flags().Float64SliceVar(&percents, "cores", nil, "how many of the vertices, in `percent`, cores have (default 50,25,10,5,1)")
	return cmd
}

func statsOptions(percents []float64) (o stats.Options) {
	for _, percent := range percents {
		o.Shares = append(o.Shares, percent/100)
	}
	return o
}

// draw writes the picture. A graph's name may be no name of a file.
func (a *app) draw(report *stats.Report, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	name := filepath.Join(dir, url.PathEscape(report.Graph)+".svg")
	if err := cli.WriteFile(name, report.WriteSVG); err != nil {
		return err
	}
	fmt.Fprintln(a.Err, "drawn:", name)
	return nil
}

func (a *app) printStats(r *stats.Report) {
	t := newTable(a.Out)
	t.AppendRows([]table.Row{
		{"graph", r.Graph}, {"vertices", countText(r.Vertices)}, {"without an edge", countText(r.Isolated)},
		{"edges", countText(r.Edges) + " " + directedText(r.Directed)},
		{"sparsity", stats.Percent(1-r.Density) + " of the adjacency matrix is empty"},
	})
	for _, d := range r.Degrees {
		t.AppendRow(table.Row{d.Name, fmt.Sprintf("mean %.2f, median %s, largest %s", d.Mean, countText(uint64(d.Median)), countText(uint64(d.Largest())))})
	}
	t.Render()
	fmt.Fprintln(a.Out)
	a.printDegrees(r)
	fmt.Fprintln(a.Out)
	a.printCores(r)
}

// printDegrees has a line for the degrees from one power of two to the next.
func (a *app) printDegrees(r *stats.Report) {
	header, largest := []any{"degree"}, uint32(0)
	for _, d := range r.Degrees {
		header = append(header, "vertices of that "+d.Name, "or higher")
		largest = max(largest, d.Largest())
	}
	t := newTable(a.Out, header...)
	for low := uint64(0); low <= uint64(largest); low = max(1, 2*low) {
		high := max(1, 2*low) - 1
		row := table.Row{degreesText(low, high)}
		for _, d := range r.Degrees {
			row = append(row, countText(d.AtLeast(low)-d.AtLeast(high+1)), stats.Percent(float64(d.AtLeast(low))/float64(max(r.Vertices, 1))))
		}
		t.AppendRow(row)
	}
	t.Render()
}

func degreesText(low, high uint64) string {
	if low == high {
		return countText(low)
	}
	return countText(low) + " to " + countText(high)
}

// printCores names cores as --core does: those of highest degree, and windows if the graph is
// stored by communities.
func (a *app) printCores(r *stats.Report) {
	t := newTable(a.Out, "core", "vertices", "with an edge in it", "edges in it", "entries a vertex", "density", "and with empty rows")
	for i, c := range slices.Concat(r.Cores, r.Windows) {
		kind := core.Degree
		if i >= len(r.Cores) {
			kind = core.Rabbit
		}
		t.AppendRow(table.Row{fmt.Sprintf("%s:%g%%", kind, 100*c.Share), countText(c.Vertices), countText(c.Linked), stats.Percent(c.Inside),
			fmt.Sprintf("%.1f", float64(c.Entries)/float64(max(c.Linked, 1))), densityText(c.Density, c.Sparser), densityText(c.Uncompacted, c.UncompactedSparser)})
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
