package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/importer"
	"github.com/penstock-db/penstock/store"
)

func (a *app) loadCommand() *cobra.Command {
	var options penstock.LoadOptions
	var undirected, directed bool
	cmd := &cobra.Command{
		Use:   "load GRAPH FILE...",
		Short: "Read files into a new graph",
		Long: `Read files into a new graph. The format is guessed from the names and the first
bytes; gzip and zstd are unpacked on the way, files of bgzip by all processors. Of
property graphs give all node and relationship files at once. Nothing is stored unless
everything is right.

The load keeps to --memory whatever stands in the files: a line, record, text or list may
have a sixteenth of it (256KiB to 256MiB), a string id 64KiB, a table 4096 columns.

Formats: ` + formatList(importer.Formats()),
		Example: `  penstock load --db ./db votes wiki-Vote.txt
  penstock load --db ./db friends facebook_combined.txt.gz --undirected
  penstock load --db ./db air nodes.csv edges.csv --weight dist`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			options.Orientation = orientation(directed, undirected)
			limitMemory(store.LoadOptions{Memory: options.Memory})
			return a.withDB(penstock.Options{}, func(db *penstock.DB) error {
				bar := newProgress(a.Err, "load "+args[0])
				options.Progress = bar.set
				started := time.Now()
				manifest, err := db.Load(cmd.Context(), args[0], args[1:], options)
				bar.done()
				if err != nil {
					return err
				}
				return a.loaded(manifest, time.Since(started))
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&options.Format, "format", "", "input `format`, instead of guessing")
	flags.BoolVar(&undirected, "undirected", false, "take every edge as leading both ways")
	flags.BoolVar(&directed, "directed", false, "take every edge as leading one way, whatever the format says")
	flags.StringSliceVar(&options.Columns, "columns", nil, "`names` of an edge list's columns after source and target")
	flags.StringVar(&options.Weight, "weight", "", "edge `column` to store as the property weight")
	addMemoryFlag(flags, &options.Memory)
	flags.Var((*order)(&options.Order), "order", orderUsage)
	flags.BoolVar(&options.Replace, "replace", false, "take the place of a graph of this name, in one step")
	cmd.MarkFlagsMutuallyExclusive("directed", "undirected")
	return cmd
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

// loaded says what a load or a generation has stored.
func (a *app) loaded(manifest *store.Manifest, took time.Duration) error {
	if a.JSON {
		return a.PrintJSON(struct {
			graphSummary
			Seconds float64 `json:"seconds"`
		}{summary(manifest, sizeOf(manifest)), took.Seconds()})
	}
	fmt.Fprintf(a.Out, "%s: %s vertices, %s %s edges, %s of chunks, in %s\n",
		manifest.Graph, countText(manifest.Vertices), countText(manifest.Edges), directedText(manifest.Directed),
		bytesText(manifest.ChunkBytes()), took.Round(time.Millisecond))
	return nil
}
