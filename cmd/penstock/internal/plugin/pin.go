package plugin

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/registry"
)

// pin is penstock plugin pin.
type pin struct{ off bool }

func (c *pin) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pin NAME[@RANGE]",
		Short: "Let only versions within RANGE take the place of an installed plugin",
		Long: `Let only versions within RANGE, such as ~1.2, take the place of an installed plugin; without a range,
none but the one that is installed. 'install' and 'outdated' keep to it.`,
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().BoolVar(&c.off, "off", false, "let any version in again")
	return cmd
}

func (c *pin) Run(_ context.Context, a *app.App, args []string) error {
	want, err := index.ParseWant(args[0])
	if err != nil {
		return cli.UsageError{Err: err}
	}
	plugins, err := registry.Open("")
	if err != nil {
		return err
	}
	if c.off {
		if err := plugins.Unpin(want.Name); err != nil {
			return err
		}
		return confirm(a, want.Name+" is not pinned")
	}
	to, err := plugins.Pin(want)
	if err != nil {
		return err
	}
	return confirm(a, want.Name+" is pinned to "+to)
}
