package plugin

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/registry"
)

const installHelp = `Install a plugin: a package, a folder or a program at PATH; or NAME from an index, a folder or URL that
--index names, in the newest version that this program can use, within RANGE if there is one: 1.2.0,
^1.2 (at least 1.2, below 2), ~1.2 (below 1.3), ">=1.2 <1.5".

`

// install is penstock plugin install.
type install struct {
	index   string
	options registry.InstallOptions
	npu     npuFlags
}

func (c *install) Describe() *cobra.Command {
	cmd := &cobra.Command{Use: "install PATH|NAME[@RANGE]|npu", Short: "Install a plugin and lock its checksum", Long: installHelp + npuHelp,
		Args: cobra.ExactArgs(1)}
	c.npu.add(cmd.Flags())
	cmd.Flags().StringVar(&c.index, "index", "", indexFlag)
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
	want, indexed, err := c.fromIndex(what)
	if err != nil {
		return registry.Plugin{}, err
	}
	if indexed {
		ix, err := plugins.Index(ctx, c.index)
		if err != nil {
			return registry.Plugin{}, err
		}
		return ix.Install(ctx, want, c.options)
	}
	return plugins.Install(ctx, what, c.options)
}

// fromIndex tells a plugin of an index from a path: by --index, or by a name that no file has where there is an index.
func (c *install) fromIndex(what string) (want index.Want, indexed bool, err error) {
	if want, err = index.ParseWant(what); c.index != "" {
		return want, true, err
	}
	_, missing := os.Stat(what)
	named := os.Getenv(registry.IndexVariable) != "" || want.Versions != ""
	return want, err == nil && errors.Is(missing, os.ErrNotExist) && named, nil
}
