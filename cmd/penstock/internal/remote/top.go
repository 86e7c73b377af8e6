package remote

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/server/bolt/client"
)

// Top is penstock top.
type Top struct {
	server Server
	watch  time.Duration
}

func (c *Top) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "top",
		Short: "List the transactions that run in a server",
		Long: `List the transactions that are open in a running server: who began them, how long ago,
what they run, and how much memory they hold. Users see their own transactions,
administrators all. 'penstock kill ID' ends one.`,
		Example: `  penstock top
  penstock top --connect bolt://db.example.com:7687 --user ann --watch 2s`,
		Args: cobra.NoArgs,
	}
	c.server.add(cmd.Flags())
	cmd.Flags().DurationVar(&c.watch, "watch", 0, "list again and again, at this `interval`, until Ctrl-C")
	return cmd
}

func (c *Top) Run(ctx context.Context, a *app.App, _ []string) error {
	if c.watch < 0 {
		return cli.UsageError{Err: fmt.Errorf("--watch %v: the interval must be above 0", c.watch)}
	}
	server, err := c.server.Dial(ctx, a.In)
	if err != nil {
		return err
	}
	defer server.Close()
	for {
		if err := listTransactions(ctx, a, server); err != nil || c.watch == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(c.watch):
		}
		if !a.JSON {
			fmt.Fprintln(a.Out)
		}
	}
}

// topColumns are asked for in this order.
var topColumns = []string{"transactionId", "username", "clientAddress", "database", "elapsedTime", "allocatedBytes",
	"status", "currentQuery"}

// listTransactions leaves out the transaction that lists the others.
func listTransactions(ctx context.Context, a *app.App, server *client.Client) error {
	statement := "SHOW TRANSACTIONS YIELD " + strings.Join(topColumns, ", ")
	rows, err := ask(ctx, server, statement, nil)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(
		rows, func(row []value.Value) bool { return row[len(row)-1].Text() == value.OfString(statement).Text() })
	if a.JSON {
		return a.PrintJSON(map[string]any{"transactions": objects(topColumns, rows)})
	}
	t := terminal.NewTable(a.Out, "id", "user", "client", "graph", "time", "memory", "status", "statement")
	for _, row := range rows {
		cells := make([]any, len(row))
		for i, v := range row {
			cells[i] = v.Plain()
		}
		cells[4] = elapsed(row[4])
		cells[5] = humanize.IBytes(uint64(max(0, row[5].Int())))
		cells[7] = shortened(row[7].Plain())
		t.AppendRow(cells)
	}
	t.Render()
	return nil
}

// elapsed is a duration of seconds as people read it.
func elapsed(v value.Value) string {
	span := v.Duration()
	d := time.Duration(span.Seconds)*time.Second + time.Duration(span.Nanos)
	return d.Round(time.Millisecond).String()
}

// shortened is the beginning of a statement, on one line.
func shortened(statement string) string {
	const most = 80
	line := []rune(strings.Join(strings.Fields(statement), " "))
	if len(line) > most {
		return string(line[:most-1]) + "…"
	}
	return string(line)
}

// objects are rows as JSON has them.
func objects(columns []string, rows [][]value.Value) []map[string]value.Value {
	all := make([]map[string]value.Value, len(rows))
	for i, row := range rows {
		all[i] = make(map[string]value.Value, len(row))
		for j, v := range row {
			all[i][columns[j]] = v
		}
	}
	return all
}
