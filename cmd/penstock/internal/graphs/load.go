package graphs

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/importer"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/store"
)

// Load is penstock load.
type Load struct {
	options              instance.LoadOptions
	undirected, directed bool
}

func (c *Load) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "load GRAPH FILE...",
		Short: "Read files into a new graph",
		Long: `Read files into a new graph. The format is guessed from the names and the first
bytes; gzip and zstd are unpacked on the way, files of bgzip by all processors. Of
property graphs give all node and relationship files at once. Nothing is stored unless
everything is right.

The load keeps to --memory whatever stands in the files: a line, record, text or list may
have a sixteenth of it (256KiB to 256MiB), a string id 64KiB, a table 4096 columns.

Formats: ` + terminal.List(importer.Formats()),
		Example: `  penstock load --db ./db votes wiki-Vote.txt
  penstock load --db ./db friends facebook_combined.txt.gz --undirected
  penstock load --db ./db air nodes.csv edges.csv --weight dist`,
		Args: cobra.MinimumNArgs(2),
	}
	flags := cmd.Flags()
	flags.StringVar(&c.options.Format, "format", "", "input `format`, instead of guessing")
	flags.BoolVar(&c.undirected, "undirected", false, "take every edge as leading both ways")
	flags.BoolVar(&c.directed, "directed", false, "take every edge as leading one way, whatever the format says")
	flags.StringSliceVar(&c.options.Columns, "columns", nil, "`names` of an edge list's columns after source and target")
	flags.StringVar(&c.options.Weight, "weight", "", "edge `column` to store as the property weight")
	addMemoryFlag(flags, &c.options.Memory)
	flags.Var((*order)(&c.options.Order), "order", orderUsage)
	flags.BoolVar(&c.options.Replace, "replace", false, "take the place of a graph of this name, in one step")
	app.Offer(cmd, "format", importer.Formats()...)
	cmd.MarkFlagsMutuallyExclusive("directed", "undirected")
	return cmd
}

func (c *Load) Run(ctx context.Context, a *app.App, args []string) error {
	options := c.options
	options.Orientation = orientation(c.directed, c.undirected)
	limitMemory(store.LoadOptions{Memory: options.Memory})
	return a.WithDB(instance.Options{}, func(db *instance.DB) error {
		bar := terminal.StartProgress(a.Err, "load "+args[0])
		options.Progress = bar.Set
		started := time.Now()
		manifest, err := db.Load(ctx, args[0], args[1:], options)
		bar.Done()
		if err != nil {
			return err
		}
		return printLoaded(a, manifest, time.Since(started))
	})
}

func orientation(directed, undirected bool) formats.Orientation {
	switch {
	case directed:
		return formats.Directed
	case undirected:
		return formats.Undirected
	default:
		return formats.OrientationUnknown
	}
}

// printLoaded says what a load or a generation has stored.
func printLoaded(a *app.App, manifest *store.Manifest, took time.Duration) error {
	if a.JSON {
		return a.PrintJSON(struct {
			Summary
			Seconds float64 `json:"seconds"`
		}{SummaryOf(manifest), took.Seconds()})
	}
	fmt.Fprintf(a.Out, "%s: %s vertices, %s %s edges, %s of chunks, in %s\n",
		manifest.Graph, terminal.Count(manifest.Vertices), terminal.Count(manifest.Edges), directedText(manifest.Directed),
		terminal.Bytes(manifest.ChunkBytes()), took.Round(time.Millisecond))
	return nil
}
