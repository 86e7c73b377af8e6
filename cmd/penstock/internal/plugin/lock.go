package plugin

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/registry"
)

// lock is penstock plugin lock.
type lock struct{ expiry expiry }

func (c *lock) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lock [NAME...]",
		Short: "Accept what is installed as it is now, and write what this folder needs into penstock.lock",
		Long: `Accept what is installed as it is now: checksums of programs and libraries become the expected ones;
packages must be as they were. What is installed from an index is written into penstock.lock in this
folder, all of it or the plugins that are named: version, index, signer, and the SHA-256 of the
packages of all platforms. 'plugin install' without arguments installs that, on any machine.`,
	}
	c.expiry.add(cmd)
	return cmd
}

func (c *lock) Run(ctx context.Context, a *app.App, args []string) error {
	plugins, err := c.expiry.open(a)
	if err != nil {
		return err
	}
	if err := plugins.Lock(args...); err != nil {
		return err
	}
	needs := registry.NeedsOf("", plugins)
	written, left, err := needs.Require(ctx, args...)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"done": "locked", "written": written, "left": left})
	}
	fmt.Fprintln(a.Out, "locked")
	if len(written) > 0 {
		fmt.Fprintf(a.Out, "%s has %s\n", needs.Path, strings.Join(written, ", "))
		if len(left) > 0 {
			fmt.Fprintf(a.Out, "and not what is from no index, and cannot be brought elsewhere: %s\n", strings.Join(left, ", "))
		}
	}
	return nil
}
