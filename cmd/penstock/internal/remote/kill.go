package remote

import (
	"context"
	"errors"
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats/value"
)

// Kill is penstock kill.
type Kill struct{ server Server }

func (c *Kill) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "kill ID...",
		Short: "End transactions that run in a server",
		Long: `End transactions of a running server by the ids that 'penstock top' lists. They are rolled
back, a run of an algorithm ends with its plugin's process, and their clients are told.
Users end their own transactions, administrators any.`,
		Example: `  penstock kill air-transaction-7`,
		Args:    cobra.MinimumNArgs(1),
	}
	c.server.add(cmd.Flags())
	return cmd
}

func (c *Kill) Run(ctx context.Context, a *app.App, ids []string) error {
	list := make([]value.Value, len(ids))
	for i, id := range ids {
		list[i] = value.OfString(id)
	}
	server, err := c.server.Dial(ctx, a.In)
	if err != nil {
		return err
	}
	defer server.Close()
	rows, err := ask(ctx, server, "TERMINATE TRANSACTIONS $ids YIELD transactionId, message",
		map[string]value.Value{"ids": value.OfList(list)})
	if err != nil {
		return err
	}
	return errors.Join(printKilled(a, rows), missing(rows))
}

// killedColumns are asked for in this order.
var killedColumns = []string{"transactionId", "message"}

func printKilled(a *app.App, rows [][]value.Value) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"transactions": objects(killedColumns, rows)})
	}
	t := terminal.NewTable(a.Out, "id", "")
	for _, row := range rows {
		t.AppendRow(table.Row{row[0].Plain(), row[1].Plain()})
	}
	t.Render()
	return nil
}

// missing is an error where some of the transactions were not there to end.
func missing(rows [][]value.Value) error {
	ids := ""
	for _, row := range rows {
		if row[1].Plain() != "Transaction terminated." {
			ids += " " + row[0].Plain()
		}
	}
	if ids == "" {
		return nil
	}
	return fmt.Errorf("no such transactions:%s", ids)
}
