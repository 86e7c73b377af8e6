package graphs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/importer"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/store"
)

// Load is penstock load.
type Load struct {
	options              instance.LoadOptions
	vectors              []string
	left, right          string
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

A bipartite graph has two types of vertices, which are labels, and edges from one to the other.
--left and --right name them: with these an edge list or a CSV file is one. User 1 is then
User:1, and has the property id, which is 1. Files of ratings, libsvm and bag-of-words are
bipartite by themselves. A bag of words may come with a file of its words.

Formats: ` + terminal.List(importer.Formats()),
		Example: `  penstock load --db ./db votes wiki-Vote.txt
  penstock load --db ./db friends facebook_combined.txt.gz --undirected
  penstock load --db ./db air nodes.csv edges.csv --weight dist
  penstock load --db ./db ratings ratings.csv --left User:user --right Item:item
  penstock load --db ./db kos docword.kos.txt.gz vocab.kos.txt
  penstock load --db ./db papers edges.csv --vectors features=x.npy --vectors class=y.npy`,
		Args: cobra.MinimumNArgs(2),
	}
	flags := cmd.Flags()
	flags.StringVar(&c.options.Format, "format", "", "input `format`, instead of guessing")
	flags.BoolVar(&c.undirected, "undirected", false, "take every edge as leading both ways")
	flags.BoolVar(&c.directed, "directed", false, "take every edge as leading one way, whatever the format says")
	flags.StringSliceVar(&c.options.Columns, "columns", nil, "`names` of an edge list's columns after source and target")
	flags.StringVar(&c.options.Weight, "weight", "", "edge `column` to store as the property weight")
	flags.StringArrayVar(&c.vectors, "vectors", nil, "node `PROPERTY=FILE.npy[,IDS.npy]`: NumPy's rows, one for each node in "+
		"their order; of files with edges alone, of the nodes that IDS names, or of 0, 1, 2 …")
	flags.StringVar(&c.left, "left", "", "make it bipartite: `LABEL[:COLUMN]` of the vertices that edges lead from, and the\n"+
		"CSV column of their ids")
	flags.StringVar(&c.right, "right", "", "the same of the vertices that edges lead to: `LABEL[:COLUMN]`")
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
	var err error
	if options.Vectors, err = parseVectors(c.vectors); err != nil {
		return err
	}
	sides, err := parseSides(c.left, c.right)
	if err != nil {
		return err
	}
	options.Left, options.Right = sides[0], sides[1]
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

// parseVectors reads what --vectors says.
func parseVectors(texts []string) (all []formats.Vectors, _ error) {
	for _, text := range texts {
		property, files, is := strings.Cut(text, "=")
		file, ids, beside := strings.Cut(files, ",")
		if !is || property == "" || file == "" || beside && ids == "" {
			return nil, cli.UsageError{Err: fmt.Errorf("--vectors %s: it is PROPERTY=FILE.npy or PROPERTY=FILE.npy,IDS.npy",
				text)}
		}
		all = append(all, formats.Vectors{Property: property, File: file, IDs: ids})
	}
	return all, nil
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
