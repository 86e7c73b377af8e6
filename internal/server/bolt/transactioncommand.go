package bolt

import (
	"cmp"
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
	"github.com/penstock-db/penstock/internal/server/transactions"
)

// transactionCommand is the command that shows and terminates transactions: one's own, or for
// administrators all.
type transactionCommand struct {
	registry      *transactions.Registry
	administrator func(context.Context) bool // nil: every caller is one
}

// Is tells whether a statement shows or terminates transactions.
func (c *transactionCommand) Is(text string) bool { return transactions.Is(text) }

func (c *transactionCommand) Run(ctx context.Context, text string, params map[string]value.Value) (backend.Result,
	error) {
	command, err := transactions.Parse(text)
	if command == nil || err != nil {
		return nil, err
	}
	caller := backend.CallerOf(ctx)
	viewer := transactions.Viewer{User: caller.User, All: c.administrator == nil || c.administrator(ctx)}
	reason := status.Errorf(status.Terminated, "the transaction was terminated by %s",
		cmp.Or(caller.User, caller.Address.String()))
	rows, err := command.Run(c.registry, viewer, params, reason)
	if err != nil {
		return nil, err
	}
	return &backend.Table{Names: command.Columns(), Rows: rows, Kind: "r"}, nil
}
