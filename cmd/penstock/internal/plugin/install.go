package plugin

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/registry"
)

// install is penstock plugin install.
type install struct {
	options registry.InstallOptions
	npu     npuFlags
}

func (c *install) Describe() *cobra.Command {
	cmd := &cobra.Command{Use: "install PATH|npu", Short: "Install a plugin and lock its checksum", Long: npuHelp,
		Args: cobra.ExactArgs(1)}
	c.npu.add(cmd.Flags())
	cmd.Flags().BoolVar(&c.options.Replace, "replace", false, "take the place of an installed plugin of this name, whatever it is")
	cmd.Flags().BoolVar(&c.options.Downgrade, "downgrade", false, "take the place of a newer version")
	cmd.Flags().StringArrayVar(&c.options.AllowUnsigned, "allow-unsigned", nil,
		"install the package of the plugin of this `name` without a signature")
	return cmd
}

func (c *install) Run(ctx context.Context, a *app.App, args []string) error {
	plugins, err := registry.Open("")
	if err != nil {
		return err
	}
	installed, err := c.install(ctx, plugins, args[0])
	if err != nil {
		return err
	}
	return showPlugin(a, plugins, "installed", installed)
}

func (c *install) install(ctx context.Context, plugins *registry.Registry, what string) (registry.Plugin, error) {
	if what == registry.NPU {
		request, err := c.npu.request(c.options.Replace)
		if err != nil {
			return registry.Plugin{}, err
		}
		return plugins.InstallRuntime(ctx, request)
	}
	if c.npu.set() {
		return registry.Plugin{}, errNotNPU
	}
	return plugins.Install(ctx, what, c.options)
}
