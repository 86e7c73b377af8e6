package plugin

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/distribution/index"
)

// mirror is penstock plugin mirror.
type mirror struct {
	index  string
	expiry expiry
}

func (c *mirror) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "mirror FOLDER [NAME[@RANGE]...]",
		Short: "Copy an index, with the packages in it, to install from where there is no network",
		Long: `Copy an index into FOLDER, with the packages of all platforms of the plugins that are named, or of all.
The signatures stay those of their makers. What is in FOLDER already is not fetched again.`,
		Args: cobra.MinimumNArgs(1),
	}
	cmd.Flags().StringVar(&c.index, "index", "", indexFlag)
	c.expiry.add(cmd)
	return cmd
}

func (c *mirror) Run(ctx context.Context, a *app.App, args []string) error {
	var wanted []index.Want
	for _, arg := range args[1:] {
		want, err := index.ParseWant(arg)
		if err != nil {
			return cli.UsageError{Err: err}
		}
		wanted = append(wanted, want)
	}
	plugins, err := c.expiry.open(a)
	if err != nil {
		return err
	}
	ix, err := plugins.Index(ctx, c.index)
	if err != nil {
		return err
	}
	copied, err := ix.Mirror(ctx, args[0], wanted...)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"copied": append([]string{}, copied...), "serial": ix.Serial})
	}
	for _, file := range copied {
		fmt.Fprintln(a.Out, "copied", file)
	}
	fmt.Fprintf(a.Out, "%s has the index of serial %d\n", args[0], ix.Serial)
	return nil
}
