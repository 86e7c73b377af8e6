package graphs

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/instance"
)

// Compact is penstock compact.
type Compact struct{}

func (*Compact) Describe() *cobra.Command {
	return &cobra.Command{
		Use:   "compact GRAPH",
		Short: "Fold what statements have changed into a graph's chunks, and give space back",
		Long: `Make one snapshot of a graph's chunks and columns and of what statements have changed
since, and give back the space that older snapshots took. Programs that keep a database open,
such as 'penstock serve', do so in the background before the changes take too much memory and
the files too much space; 'penstock run' and 'penstock export' fold changes first.`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: app.CompleteGraph,
	}
}

func (*Compact) Run(ctx context.Context, a *app.App, args []string) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		manifest, err := db.Compact(ctx, args[0])
		if err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(SummaryOf(manifest))
		}
		fmt.Fprintf(a.Out, "%s: %s vertices and %s edges in snapshot %d\n", args[0], terminal.Count(manifest.Vertices),
			terminal.Count(manifest.Edges), manifest.ID)
		return nil
	})
}
