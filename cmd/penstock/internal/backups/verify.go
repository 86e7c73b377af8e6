package backups

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/backup"
)

// verify is penstock backup verify.
type verify struct{}

func (*verify) Describe() *cobra.Command {
	return &cobra.Command{
		Use:   "verify OUT",
		Short: "Read a backup and those before it, and check every checksum",
		Args:  cobra.ExactArgs(1),
	}
}

func (*verify) Run(ctx context.Context, a *app.App, args []string) error {
	return withChain(args[0], func(chain backup.Chain) error {
		bar := terminal.StartProgress(a.Err, "verify "+args[0])
		err := chain.Verify(ctx, bar.Set)
		bar.Done()
		if err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(map[string]any{"file": args[0], "sound": true, "files": len(chain)})
		}
		fmt.Fprintf(a.Out, "%s is sound", args[0])
		if n := len(chain); n > 1 {
			fmt.Fprintf(a.Out, ", with the %d before it", n-1)
		}
		fmt.Fprintln(a.Out)
		return nil
	})
}

func withChain(path string, do func(backup.Chain) error) error {
	chain, err := backup.OpenChain(path)
	if err != nil {
		return err
	}
	return errors.Join(do(chain), chain.Close())
}
