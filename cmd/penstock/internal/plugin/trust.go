package plugin

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/distribution/trust"
	"github.com/penstock-db/penstock/internal/registry"
)

// trusts are the commands on signers.
func trusts() app.Command {
	return cli.Group[*app.App]{
		Help: &cobra.Command{Use: "trust", Short: "Say whose signatures are believed", Args: cobra.NoArgs,
			Long: `Say whose signatures are believed, and of which plugins. A signer is of a tier:

  core       who makes Penstock: any plugin, and nobody else those called penstock-…
  private    your own house: any other plugin
  community  anybody else: the plugins that --plugin names

What nobody of these has signed is installed only by --allow-unsigned=NAME. A run may be stricter,
never laxer: PENSTOCK_PLUGIN_TRUST=core,private lets only plugins of these tiers start.`},
		Below: []app.Command{&trustAdd{}, trustList(), trustRemove()},
	}
}

// trustAdd is penstock plugin trust add.
type trustAdd struct {
	tier    string
	plugins []string
}

func (c *trustAdd) Describe() *cobra.Command {
	cmd := &cobra.Command{Use: "add NAME KEY", Short: "Believe the signatures of a key, which is given as it is, or as its file",
		Args: cobra.ExactArgs(2)}
	cmd.Flags().StringVar(&c.tier, "as", "", "core, private or community")
	cmd.Flags().StringArrayVar(&c.plugins, "plugin", nil, "a `name` of plugins that the key may sign, or a pattern such as acme-* (default: all, but of community)")
	_ = cmd.MarkFlagRequired("as") // it is defined above
	app.Offer(cmd, "as", string(trust.Core), string(trust.Private), string(trust.Community))
	return cmd
}

func (c *trustAdd) Run(_ context.Context, a *app.App, args []string) error {
	plugins, err := registry.Open("")
	if err != nil {
		return err
	}
	key, err := readKey(args[1])
	if err != nil {
		return err
	}
	signer := trust.Signer{Name: args[0], Key: key, Tier: trust.Tier(c.tier), Plugins: c.plugins}
	if err := signer.Check(); err != nil {
		return cli.UsageError{Err: err}
	}
	if err := plugins.Keyring().Trust(signer); err != nil {
		return err
	}
	return confirm(a, fmt.Sprintf("%s (%s) may sign %s", signerText(signer, key.ID()), signer.Tier, signsText(signer)))
}

func trustList() *onRegistry {
	return &onRegistry{"list", "List whose signatures are believed", cobra.NoArgs,
		func(_ context.Context, a *app.App, plugins *registry.Registry, _ []string) error {
			signers, err := plugins.Keyring().Signers()
			if err != nil {
				return err
			}
			if a.JSON {
				return a.PrintJSON(map[string]any{"signers": signers})
			}
			if len(signers) == 0 {
				fmt.Fprintln(a.Out, "nobody is trusted: plugins are installed by --allow-unsigned=NAME alone")
				return nil
			}
			t := terminal.NewTable(a.Out, "signer", "tier", "key", "may sign")
			for _, s := range signers {
				t.AppendRow([]any{s.Name, s.Tier, s.Key.ID(), signsText(s)})
			}
			t.Render()
			return nil
		}}
}

func trustRemove() *onRegistry {
	return &onRegistry{"remove NAME", "Believe a signer no more: what that signer has signed starts no more", cobra.ExactArgs(1),
		func(_ context.Context, a *app.App, plugins *registry.Registry, args []string) error {
			if err := plugins.Keyring().Distrust(args[0]); err != nil {
				return err
			}
			return confirm(a, args[0]+" is not trusted any more")
		}}
}

// signerText is a signer as people know one, and the key's ID.
func signerText(s trust.Signer, id string) string {
	if s.Name == "" {
		return "key " + id
	}
	return s.Name + ", key " + id
}

// signsText says which plugins a signer may sign.
func signsText(s trust.Signer) string {
	if len(s.Plugins) == 0 {
		return "all plugins"
	}
	return strings.Join(s.Plugins, ", ")
}
