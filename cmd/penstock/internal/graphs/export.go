package graphs

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats/exporter"
	"github.com/penstock-db/penstock/internal/instance"
)

// Export is penstock export.
type Export struct {
	format    string
	overwrite bool
}

func (c *Export) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export GRAPH DIR",
		Short: "Write a graph to files",
		Long: `Write a graph's current snapshot, with your own ids and all properties, to files in
a directory. Formats: ` + terminal.List(exporter.Formats()),
		Args:              cobra.ExactArgs(2),
		ValidArgsFunction: app.CompleteGraph,
	}
	cmd.Flags().StringVar(&c.format, "format", "csv", "output `format`")
	cmd.Flags().BoolVar(&c.overwrite, "overwrite", false, "replace files of an earlier export")
	app.Offer(cmd, "format", exporter.Formats()...)
	return cmd
}

func (c *Export) Run(ctx context.Context, a *app.App, args []string) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		var options []exporter.Option
		if c.overwrite {
			options = append(options, exporter.Overwrite())
		}
		bar := terminal.StartProgress(a.Err, "export "+args[0])
		err := db.Export(ctx, args[0], c.format, args[1], bar.Set, options...)
		bar.Done()
		if err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(map[string]string{"graph": args[0], "format": c.format, "directory": args[1]})
		}
		fmt.Fprintf(a.Out, "exported %s to %s\n", args[0], args[1])
		return remindDirection(a.Out, db, args[0], c.format)
	})
}

// remindDirection says what the files cannot: only Matrix Market tells that a graph is undirected.
func remindDirection(w io.Writer, db *instance.DB, graph, format string) error {
	manifest, err := db.Graph(graph)
	if err == nil && !manifest.Directed && format != "mtx" {
		fmt.Fprintln(w, "its edges lead both ways, which these files do not say: load them with --undirected")
	}
	return err
}
