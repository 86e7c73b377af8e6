package plugin

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/allowlist"
	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/registry"
)

// list is penstock plugin list.
type list struct {
	index  string
	expiry expiry
}

func (c *list) Describe() *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List the installed plugins, or those of an index",
		Long: "List the installed plugins and, with --db, which of them may run in that database; or those of an index.",
		Args: cobra.NoArgs}
	cmd.Flags().StringVar(&c.index, "index", "", "list what is in the index of this folder or `URL`, instead")
	c.expiry.add(cmd)
	return cmd
}

func (c *list) Run(ctx context.Context, a *app.App, _ []string) error {
	plugins, err := c.expiry.open(a)
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
	installed, err := plugins.List()
	if err != nil {
		return err
	}
	why, err := whyRevoked(plugins, installed)
	if err != nil {
		return err
	}
	rule, err := listOf(a)
	switch {
	case err != nil:
		return err
	case rule != nil:
		return printEnabled(a, plugins, installed, why, *rule)
	case a.JSON:
		return a.PrintJSON(map[string]any{"plugins": installed, "revoked": why})
	}
	t := terminal.NewTable(a.Out, "plugin", "version", "signed by", "sha256")
	t.AppendRow([]any{"cpu", "built in", "", ""})
	for _, p := range installed {
		t.AppendRow([]any{p.Name, p.Version, standingText(plugins, p), p.Files()[0].SHA256})
	}
	t.Render()
	printRevoked(a.Out, installed, why)
	return nil
}

// printEnabled lists the plugins that are installed, or enabled in a database, with what may run there.
func printEnabled(a *app.App, plugins *registry.Registry, installed []registry.Plugin,
	why map[string]string, rule allowlist.List) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"plugins": installed, "revoked": why, "database": enabledIn(rule)})
	}
	t := terminal.NewTable(a.Out, "plugin", "version", "signed by", "sha256", "in "+rule.Database)
	t.AppendRow([]any{"cpu", "built in", "", "", "always"})
	there := map[string]bool{}
	for _, p := range installed {
		there[p.Name] = true
		t.AppendRow([]any{p.Name, p.Version, standingText(plugins, p), p.Files()[0].SHA256, standsIn(rule, p.Name)})
	}
	for _, name := range rule.Names {
		if !there[name] {
			t.AppendRow([]any{name, "not installed", "", "", standsIn(rule, name)})
		}
	}
	t.Render()
	printRevoked(a.Out, installed, why)
	fmt.Fprintln(a.Out, ruleText(rule))
	return nil
}

// standsIn says whether a plugin may run in a database.
func standsIn(rule allowlist.List, plugin string) string {
	switch {
	case rule.Unreadable != nil:
		return "unknown"
	case !rule.Exists():
		return "may run"
	case rule.Allows(plugin):
		return "enabled"
	}
	return "not enabled"
}

// info is penstock plugin info.
type info struct {
	index  string
	expiry expiry
}

func (c *info) Describe() *cobra.Command {
	cmd := &cobra.Command{Use: "info NAME", Short: "Describe an installed plugin, or one of an index",
		Args: cobra.ExactArgs(1)}
	cmd.Flags().StringVar(&c.index, "index", "", "describe what is in the index of this folder or `URL`, instead")
	c.expiry.add(cmd)
	return cmd
}

func (c *info) Run(ctx context.Context, a *app.App, args []string) error {
	plugins, err := c.expiry.open(a)
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
