package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
)

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify GRAPH",
		Short: "Read all of a graph and check every checksum and invariant",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDB(penstock.Options{MustExist: true}, func(db *penstock.DB) error {
				if err := db.Verify(cmd.Context(), args[0]); err != nil {
					return err
				}
				if a.json {
					return a.printJSON(map[string]any{"graph": args[0], "sound": true})
				}
				fmt.Fprintf(a.stdout, "%s is sound\n", args[0])
				return nil
			})
		},
	}
}
