package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/internal/cli"
)

// movedCommand says where a command is that has become a program of its own.
func movedCommand() *cobra.Command {
	return &cobra.Command{
		Use:                "bench",
		Hidden:             true,
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return cli.UsageError{Err: errors.New("'penstock bench' is a program of its own now: penstock-bench, or in the sources go run ./cmd/penstock-bench")}
		},
	}
}
