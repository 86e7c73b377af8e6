package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
)

func (a *app) compactCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "compact GRAPH",
		Short: "Fold what statements have changed into a graph's chunks, and give space back",
		Long: `Make one snapshot of a graph's chunks and columns and of what statements have changed
since, and give back the space that older snapshots took. Programs that keep a database open,
such as 'penstock serve', do so in the background before the changes take too much memory and
the files too much space; 'penstock run' and 'penstock export' fold changes first.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDB(penstock.Options{MustExist: true}, func(db *penstock.DB) error {
				manifest, err := db.Compact(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if a.JSON {
					return a.PrintJSON(summary(manifest, sizeOf(manifest)))
				}
				fmt.Fprintf(a.Out, "%s: %s vertices and %s edges in snapshot %d\n", args[0], countText(manifest.Vertices), countText(manifest.Edges), manifest.ID)
				return nil
			})
		},
	}
}
