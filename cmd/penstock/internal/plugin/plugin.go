// Package plugin has the commands that install device plugins, and check them.
package plugin

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/confine"
	"github.com/penstock-db/penstock/internal/distribution/trust"
	"github.com/penstock-db/penstock/internal/registry"
)

// Plugin is penstock plugin, which tells of the commands below it.
type Plugin struct{ help *cobra.Command }

func (c *Plugin) Describe() *cobra.Command {
	c.help = &cobra.Command{
		Use:   "plugin",
		Short: "Make, install, list, check, pack and sign plugins",
		Long: `Device plugins are programs. An installed one is named by --device, and is started only
while its SHA-256, and that of all files of its package, are the ones in the lock file, and whoever
has signed the package is trusted. They live in $PENSTOCK_PLUGIN_DIR, else in penstock/plugins of
your configuration directory.

Any installed plugin may run in a database, until the database's owner enables or disables one
('plugin enable NAME --db DIR'): from then on only those that are enabled, and cpu.`,
		Args: cobra.NoArgs,
	}
	return c.help
}

func (c *Plugin) Commands() []app.Command {
	return []app.Command{
		&newPlugin{}, &packCommand{}, keys(), &signCommand{}, trusts(),
		&indexCommand{}, &install{}, &list{}, &info{}, &outdated{}, &verify{},
		&lock{}, &pin{}, &mirror{}, &enable{}, &disable{}, remove(), doctor(),
	}
}

func (c *Plugin) Run(context.Context, *app.App, []string) error { return c.help.Help() }

// onRegistry is a command that works on the installed plugins.
type onRegistry struct {
	use, short string
	args       cobra.PositionalArgs
	run        func(ctx context.Context, a *app.App, plugins *registry.Registry, args []string) error
}

func (c *onRegistry) Describe() *cobra.Command {
	return &cobra.Command{Use: c.use, Short: c.short, Args: c.args}
}

func (c *onRegistry) Run(ctx context.Context, a *app.App, args []string) error {
	plugins, err := registry.Open("")
	if err != nil {
		return err
	}
	return c.run(ctx, a, plugins, args)
}

func remove() *onRegistry {
	return &onRegistry{"remove NAME", "Uninstall a plugin", cobra.ExactArgs(1),
		func(_ context.Context, a *app.App, plugins *registry.Registry, args []string) error {
			if err := plugins.Remove(args[0]); err != nil {
				return err
			}
			return confirm(a, "removed "+args[0])
		}}
}

// shown is a plugin, with what it may do beyond what every plugin may.
type shown struct {
	registry.Plugin
	Permissions confine.Grants `json:"permissions,omitzero"`
	Revoked     string         `json:"revoked,omitempty"` // why it must not be used any more
}

func showPlugin(a *app.App, plugins *registry.Registry, state string, p registry.Plugin) error {
	s := shown{Plugin: p}
	if p.Package != "" {
		var err error
		if s.Permissions, err = plugins.Permissions(p.Name); err != nil {
			return err
		}
	}
	why, err := whyRevoked(plugins, []registry.Plugin{p})
	if err != nil {
		return err
	}
	s.Revoked = why[p.Name]
	if a.JSON {
		return a.PrintJSON(s)
	}
	if p.Runtime != nil {
		return showRuntime(a.Out, state, p)
	}
	fmt.Fprintf(a.Out, "%s %s %s\n  program %s\n  sha256  %s\n  from    %s\n", state, p.Name, p.Version, p.Path, p.SHA256,
		p.Source)
	if len(p.Algorithms) > 0 {
		fmt.Fprintf(a.Out, "  algorithms %s\n", algorithmsText(p.Algorithms))
	}
	if p.Package != "" {
		fmt.Fprintf(a.Out, "  package %s\n  signed  %s\n  may     %s\n", p.Package, standingText(plugins, p), permissionsText(s.Permissions))
	}
	printRevoked(a.Out, []registry.Plugin{p}, why)
	return nil
}

// standingText says who answers for a plugin.
func standingText(plugins *registry.Registry, p registry.Plugin) string {
	standing, err := plugins.Standing(p.Name)
	switch {
	case err != nil:
		return "nobody who is trusted with it"
	case standing.Tier == trust.Unsigned:
		return "nobody"
	}
	return fmt.Sprintf("%s (%s)", standing.Signer.Name, standing.Tier)
}

// algorithmsText are the names of algorithms.
func algorithmsText(definitions []algorithms.Definition) string {
	var names []string
	for _, d := range definitions {
		names = append(names, d.Name)
	}
	return strings.Join(names, ", ")
}

// permissionsText says in words what a plugin may do beyond what every plugin may.
func permissionsText(g confine.Grants) string {
	var all []string
	for _, kind := range g.Hardware {
		all = append(all, "use "+kind)
	}
	if g.Network {
		all = append(all, "use the network")
	}
	if g.Processes {
		all = append(all, "start processes")
	}
	for _, path := range g.Read {
		all = append(all, "read "+path)
	}
	for _, path := range g.Write {
		all = append(all, "write "+path)
	}
	if len(all) == 0 {
		return "compute, and nothing else"
	}
	return strings.Join(all, ", ")
}

func confirm(a *app.App, message string) error {
	if a.JSON {
		return a.PrintJSON(map[string]string{"done": message})
	}
	fmt.Fprintln(a.Out, message)
	return nil
}
