package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/formats/exporter"
)

func (a *app) exportCommand() *cobra.Command {
	var format string
	var overwrite bool
	cmd := &cobra.Command{
		Use:   "export GRAPH DIR",
		Short: "Write a graph to files",
		Long: `Write a graph's current snapshot, with your own ids and all properties, to files in
a directory. Formats: ` + formatList(exporter.Formats()),
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDB(penstock.Options{MustExist: true}, func(db *penstock.DB) error {
				var options []exporter.Option
				if overwrite {
					options = append(options, exporter.Overwrite())
				}
				bar := newProgress(a.Err, "export "+args[0])
				err := db.Export(cmd.Context(), args[0], format, args[1], bar.set, options...)
				bar.done()
				if err != nil {
					return err
				}
				if a.JSON {
					return a.PrintJSON(map[string]string{"graph": args[0], "format": format, "directory": args[1]})
				}
				fmt.Fprintf(a.Out, "exported %s to %s\n", args[0], args[1])
				return a.remindDirection(db, args[0], format)
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "csv", "output `format`")
	cmd.Flags().BoolVar(&overwrite, "overwrite", false, "replace files of an earlier export")
	return cmd
}

// remindDirection says what the files cannot: only Matrix Market tells that a graph is undirected.
func (a *app) remindDirection(db *penstock.DB, graph, format string) error {
	manifest, err := db.Graph(graph)
	if err == nil && !manifest.Directed && format != "mtx" {
		fmt.Fprintln(a.Out, "its edges lead both ways, which these files do not say: load them with --undirected")
	}
	return err
}
