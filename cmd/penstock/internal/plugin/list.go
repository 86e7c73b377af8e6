package plugin

import (
	"context"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/registry"
)

// list is penstock plugin list.
type list struct{ index string }

func (c *list) Describe() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the installed plugins, or those of an index", Args: cobra.NoArgs}
	cmd.Flags().StringVar(&c.index, "index", "", "list what is in the index of this folder or `URL`, instead")
	return cmd
}

func (c *list) Run(ctx context.Context, a *app.App, _ []string) error {
	plugins, err := registry.Open("")
	if err != nil {
		return err
	}
	if c.index != "" {
		ix, err := plugins.Index(ctx, c.index)
		if err != nil {
			return err
		}
		return printIndex(a, ix.Index)
	}
	list, err := plugins.List()
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"plugins": list})
	}
	t := terminal.NewTable(a.Out, "plugin", "version", "signed by", "sha256")
	t.AppendRow([]any{"cpu", "built in", "", ""})
	for _, p := range list {
		t.AppendRow([]any{p.Name, p.Version, standingText(plugins, p), p.Files()[0].SHA256})
	}
	t.Render()
	return nil
}

// info is penstock plugin info.
type info struct{ index string }

func (c *info) Describe() *cobra.Command {
	cmd := &cobra.Command{Use: "info NAME", Short: "Describe an installed plugin, or one of an index",
		Args: cobra.ExactArgs(1)}
	cmd.Flags().StringVar(&c.index, "index", "", "describe what is in the index of this folder or `URL`, instead")
	return cmd
}

func (c *info) Run(ctx context.Context, a *app.App, args []string) error {
	plugins, err := registry.Open("")
	if err != nil {
		return err
	}
	if c.index == "" {
		p, err := plugins.Info(args[0])
		if err != nil {
			return err
		}
		return showPlugin(a, plugins, "installed", p)
	}
	ix, err := plugins.Index(ctx, c.index)
	if err != nil {
		return err
	}
	if _, ok := ix.Plugins[args[0]]; !ok {
		return &index.NoneError{Want: index.Want{Name: args[0]}}
	}
	one := *ix.Index
	one.Plugins = maps.Clone(one.Plugins)
	maps.DeleteFunc(one.Plugins, func(name string, _ index.Plugin) bool { return name != args[0] })
	one.Revoked = slices.DeleteFunc(slices.Clone(one.Revoked), func(r index.Revocation) bool {
		return r.Plugin != args[0]
	})
	return printIndex(a, &one)
}
