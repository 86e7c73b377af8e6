package app

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/internal/cli"
)

// GoesWith has a command refuse a flag that says nothing without another one.
func GoesWith(cmd *cobra.Command, flag, other string) {
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed(flag) && !cmd.Flags().Changed(other) {
			return cli.UsageError{Err: fmt.Errorf("--%s goes with --%s, which is not given", flag, other)}
		}
		if before != nil {
			return before(cmd, args)
		}
		return nil
	}
}
