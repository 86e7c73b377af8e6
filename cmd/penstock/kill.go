package main

import (
	"context"
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt"
)

func (a *app) killCommand() *cobra.Command {
	var o remoteOptions
	cmd := &cobra.Command{
		Use:   "kill ID...",
		Short: "End transactions that run in a server",
		Long: `End transactions of a running server by the ids that 'penstock top' lists. They are rolled
back, a run of an algorithm ends with its plugin's process, and their clients are told.
Users end their own transactions, administrators any.`,
		Example: `  penstock kill air-transaction-7`,
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(cmd *cobra.Command, ids []string) error { return a.kill(cmd.Context(), o, ids) },
	}
	o.add(cmd.Flags())
	return cmd
}

func (a *app) kill(ctx context.Context, o remoteOptions, ids []string) error {
	list := make([]value.Value, len(ids))
	for i, id := range ids {
		list[i] = value.OfString(id)
	}
	return a.withServer(ctx, o, func(server *bolt.Remote) error {
		rows, err := askServer(ctx, server, "TERMINATE TRANSACTIONS $ids YIELD transactionId, message", map[string]value.Value{"ids": value.OfList(list)})
		if err != nil {
			return err
		}
		columns, missing := []string{"transactionId", "message"}, ""
		for _, row := range rows {
			if row[1].Plain() != "Transaction terminated." {
				missing += " " + row[0].Plain()
			}
		}
		if a.JSON {
			err = a.PrintJSON(map[string]any{"transactions": objects(columns, rows)})
		} else {
			t := newTable(a.Out, "id", "")
			for _, row := range rows {
				t.AppendRow(table.Row{row[0].Plain(), row[1].Plain()})
			}
			t.Render()
		}
		if err == nil && missing != "" {
			err = fmt.Errorf("no such transactions:%s", missing)
		}
		return err
	})
}
