package plugin

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/registry"
)

const installHelp = `Install a plugin: a package, a folder or a program at PATH; or NAME from an index, a folder or URL that
--index names, in the newest version that this program can use, within RANGE if there is one: 1.2.0,
^1.2 (at least 1.2, below 2), ~1.2 (below 1.3), ">=1.2 <1.5". Without an argument, what penstock.lock
in this folder names: the same packages, by the same signers.

`

// install is penstock plugin install.
type install struct {
	index   string
	locked  bool
	expiry  expiry
	options registry.InstallOptions
	npu     npuFlags
}

func (c *install) Describe() *cobra.Command {
	cmd := &cobra.Command{Use: "install [PATH|NAME[@RANGE]|npu]", Short: "Install a plugin and lock its checksum", Long: installHelp + npuHelp,
		Args: cobra.MaximumNArgs(1)}
	c.npu.add(cmd.Flags())
	cmd.Flags().StringVar(&c.index, "index", "", indexFlag)
	c.expiry.add(cmd)
	cmd.Flags().BoolVar(&c.locked, "locked", false, "fail where a package is installed that penstock.lock does not name, as for CI")
	cmd.Flags().BoolVar(&c.options.Replace, "replace", false, "take the place of an installed plugin of this name, whatever it is")
	cmd.Flags().BoolVar(&c.options.Downgrade, "downgrade", false, "take the place of a newer version")
	cmd.Flags().StringArrayVar(&c.options.AllowUnsigned, "allow-unsigned", nil,
		"install the package of the plugin of this `name` without a signature")
	return cmd
}

func (c *install) Run(ctx context.Context, a *app.App, args []string) error {
	plugins, err := c.expiry.open(a)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return c.bring(ctx, a, plugins)
	}
	if c.locked {
		return cli.UsageError{Err: errors.New("--locked installs what penstock.lock names, and nothing else: leave the argument away")}
	}
	installed, err := c.install(ctx, plugins, args[0])
	if err != nil {
		return err
	}
	return showPlugin(a, plugins, "installed", installed)
}

// bring installs what this folder needs.
func (c *install) bring(ctx context.Context, a *app.App, plugins *registry.Registry) error {
	needs := registry.NeedsOf("", plugins)
	if _, err := os.Stat(needs.Path); err != nil {
		return fmt.Errorf("%w\n`penstock plugin install PATH|NAME` installs a plugin, and `penstock plugin lock` writes %s", err,
			registry.ProjectFile)
	}
	if c.locked {
		if err := needs.Only(); err != nil {
			return err
		}
	}
	brought, err := needs.Bring(ctx, c.index, c.options)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"plugins": brought})
	}
	for _, p := range brought {
		state := "there is"
		if p.New {
			state = "installed"
		}
		fmt.Fprintf(a.Out, "%s %s %s, signed by %s\n", state, p.Name, p.Version, standingText(plugins, p.Plugin))
	}
	return nil
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
