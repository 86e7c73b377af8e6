package plugin

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/distribution/index"
	"github.com/penstock-db/penstock/internal/distribution/sign"
	"github.com/penstock-db/penstock/internal/registry"
)

// indexCommand is penstock plugin index.
type indexCommand struct {
	key, previous, reason string
	revoke                []string
	valid                 time.Duration
	changed, older        bool
}

func (c *indexCommand) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "index FOLDER",
		Short: "Make the signed index of a folder of packages, to be installed from",
		Long: `Make index.json and index.json.minisig of the packages in FOLDER, which a web server may hand out
as it is, or which lies on a disk. Making it again raises its serial, and keeps what is revoked: the
index that is there must be signed by the same key, or by --previous-key. From when it expires users
refuse it: make it again before, also where nothing has changed.`,
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().StringVar(&c.key, "key", "", "the `file` of a secret key that signs the index")
	cmd.Flags().StringVar(&c.previous, "previous-key", "",
		"the public `key`, or its file, that has signed the index before, where it is another")
	cmd.Flags().StringArrayVar(&c.revoke, "revoke", nil,
		"let nobody use a plugin any more: `NAME`, NAME@RANGE, or the public key that has signed it")
	cmd.Flags().StringVar(&c.reason, "reason", "", "a `text` for users, of what --revoke names")
	cmd.Flags().DurationVar(&c.valid, "valid", index.Lifetime, "the `time` from now until it expires; 0: never")
	cmd.Flags().BoolVar(&c.changed, "changed", false,
		"list packages also that are others than before, under the same version")
	cmd.Flags().BoolVar(&c.older, "older", false,
		"take over from the index that is there, or none, though a later one was made of the folder on this machine")
	_ = cmd.MarkFlagRequired("key") // it is defined above
	return cmd
}

func (c *indexCommand) Run(ctx context.Context, a *app.App, args []string) error {
	if c.valid < 0 {
		return cli.UsageError{Err: fmt.Errorf("--valid %v: it would have expired before it was made", c.valid)}
	}
	edition := index.Edition{Valid: c.valid, Changed: c.changed}
	for _, what := range c.revoke {
		r, err := c.revocation(what)
		if err != nil {
			return cli.UsageError{Err: fmt.Errorf("--revoke %s: %w", what, err)}
		}
		edition.Revoke = append(edition.Revoke, r)
	}
	if c.previous != "" {
		key, err := readKey(c.previous)
		if err != nil {
			return fmt.Errorf("--previous-key: %w", err)
		}
		edition.Previous = append(edition.Previous, key)
	}
	secret, err := readSecret(a, c.key)
	if err != nil {
		return err
	}
	plugins, err := registry.Open("")
	if err != nil {
		return err
	}
	ix, err := plugins.MakeIndex(ctx, args[0], secret, edition, c.older)
	if err != nil {
		return err
	}
	warnUnsigned(a, ix.Unsigned(args[0]))
	return printIndex(a, ix)
}

func (c *indexCommand) revocation(what string) (index.Revocation, error) {
	if key, err := sign.ParseKey(what); err == nil {
		return index.Revocation{Key: key.String(), Reason: c.reason}, nil
	}
	want, err := index.ParseWant(what)
	return index.Revocation{Plugin: want.Name, Versions: want.Versions, Reason: c.reason}, err
}

// warnUnsigned tells a maker what users could not install.
func warnUnsigned(a *app.App, unsigned map[string][]string) {
	for _, name := range slices.Sorted(maps.Keys(unsigned)) {
		for _, file := range unsigned[name] {
			fmt.Fprintf(a.Err, "%s is not signed: users need --allow-unsigned=%s; `penstock plugin sign` signs it\n", file, name)
		}
	}
}

func printIndex(a *app.App, ix *index.Index) error {
	if a.JSON {
		return a.PrintJSON(ix)
	}
	until := "it never expires"
	if !ix.Expires.IsZero() {
		until = "expires " + ix.Expires.Format(minuteForm)
	}
	fmt.Fprintf(a.Out, "index, serial %d, of %s; %s\n", ix.Serial, ix.Made.Format(minuteForm), until)
	t := terminal.NewTable(a.Out, "plugin", "version", "protocol", "platforms")
	for _, name := range slices.Sorted(maps.Keys(ix.Plugins)) {
		for _, v := range ix.Plugins[name].Ordered() {
			version := ix.Plugins[name].Versions[v.Original()]
			t.AppendRow([]any{name, v.Original(), fmt.Sprintf("%d to %d", version.Protocol.Min, version.Protocol.Max),
				strings.Join(slices.Sorted(maps.Keys(version.Platforms)), " ")})
		}
	}
	t.Render()
	for _, r := range ix.Revoked {
		fmt.Fprintf(a.Out, "revoked: %s\n", revocationText(r))
	}
	return nil
}

func revocationText(r index.Revocation) string {
	text := index.Want{Name: r.Plugin, Versions: r.Versions}.String()
	if key, err := sign.ParseKey(r.Key); err == nil {
		text = "key " + key.ID()
	}
	if r.Reason != "" {
		text += " (" + r.Reason + ")"
	}
	return text
}

// indexFlag names an index.
const indexFlag = "the folder or `URL` of an index (default $" + registry.IndexVariable + ")"

// outdated is penstock plugin outdated.
type outdated struct {
	index  string
	expiry expiry
}

func (c *outdated) Describe() *cobra.Command {
	cmd := &cobra.Command{Use: "outdated", Short: "List the installed plugins of which an index has a newer version",
		Long: `List the installed plugins of which the index that they came from, or --index, has a newer version, and
those that are revoked.`,
		Args: cobra.NoArgs}
	cmd.Flags().StringVar(&c.index, "index", "", "the folder or `URL` of an index, instead")
	c.expiry.add(cmd)
	return cmd
}

func (c *outdated) Run(ctx context.Context, a *app.App, _ []string) error {
	plugins, err := c.expiry.open(a)
	if err != nil {
		return err
	}
	all, failed := plugins.Outdated(ctx, c.index)
	installed, err := plugins.List()
	if err != nil {
		return errors.Join(failed, err)
	}
	why, err := whyRevoked(plugins, installed)
	failed = errors.Join(failed, err)
	if a.JSON {
		newest := append([]registry.Outdated{}, all...)
		return errors.Join(a.PrintJSON(map[string]any{"outdated": newest, "revoked": why}), failed)
	}
	if len(all) == 0 && failed == nil {
		fmt.Fprintln(a.Out, "nothing installed has a newer version")
	}
	if len(all) > 0 {
		t := terminal.NewTable(a.Out, "plugin", "installed", "newest", "index")
		for _, o := range all {
			t.AppendRow([]any{o.Name, o.Installed, o.Newest, o.Index})
		}
		t.Render()
	}
	printRevoked(a.Out, installed, why)
	return failed
}
