package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
)

func (a *app) dropCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "drop GRAPH",
		Short: "Remove a graph and give its space back",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDB(penstock.Options{MustExist: true}, func(db *penstock.DB) error {
				if err := db.Drop(cmd.Context(), args[0]); err != nil {
					return err
				}
				if a.JSON {
					return a.PrintJSON(map[string]string{"dropped": args[0]})
				}
				fmt.Fprintf(a.Out, "dropped %s\n", args[0])
				return nil
			})
		},
	}
}
