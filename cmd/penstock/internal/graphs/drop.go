package graphs

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/instance"
)

// Drop is penstock drop.
type Drop struct{}

func (*Drop) Describe() *cobra.Command {
	return &cobra.Command{
		Use:               "drop GRAPH",
		Short:             "Remove a graph and give its space back",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: app.CompleteGraph,
	}
}

func (*Drop) Run(ctx context.Context, a *app.App, args []string) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		if err := db.Drop(ctx, args[0]); err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(map[string]string{"dropped": args[0]})
		}
		fmt.Fprintf(a.Out, "dropped %s\n", args[0])
		return nil
	})
}
