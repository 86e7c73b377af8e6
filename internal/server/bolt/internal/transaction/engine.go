package transaction

import (
	"context"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
	"github.com/penstock-db/penstock/internal/server/transactions"
)

// Engine is what runs statements, and how long they may take.
type Engine struct {
	Database    backend.Database
	Commands    []backend.Command // asked in turn before a statement goes to the database
	Registry    *transactions.Registry
	Shown       func(statement string) string // as SHOW TRANSACTIONS has it
	Transaction time.Duration                 // 0: no limit
	Statement   time.Duration                 // until its last row is taken; 0: no limit
}

// command runs a statement that is one of the server's commands. For any other the result and the error are nil.
func (e *Engine) command(ctx context.Context, text string, params map[string]value.Value) (backend.Result, error) {
	for _, command := range e.Commands {
		if command.Is(text) {
			return command.Run(ctx, text, params)
		}
	}
	return nil, nil
}

// begin begins a transaction on a graph. On the graph of commands it begins one for commands only.
func (e *Engine) begin(ctx context.Context, s Settings) (backend.Transaction, error) {
	tx, err := e.Database.Begin(ctx, s.Graph, s.Access)
	if err != nil && s.Graph == systemGraph && len(e.Commands) > 0 {
		if code := status.CodeOf(ctx, err); code == status.UnknownGraph || code == status.Expired {
			return commandsOnly{}, nil
		}
	}
	return tx, err
}

// timeout is the shorter one of the client's and the server's; 0: none.
func (e *Engine) timeout(s Settings) (timeout time.Duration, whose string) {
	if most := e.Transaction; s.Timeout == 0 || most > 0 && most < s.Timeout {
		return most, "server"
	}
	return s.Timeout, "client"
}

// systemGraph is where Neo4j's clients send commands to. A graph of this name comes first.
const systemGraph = "system"

// commandsOnly is a transaction on no graph.
type commandsOnly struct{}

func (commandsOnly) Run(context.Context, string, map[string]value.Value) (backend.Result, error) {
	const format = "there is no graph %q to run this on: only administration statements can be run here"
	return nil, status.Errorf(status.NotOnSystem, format, systemGraph)
}

func (commandsOnly) Commit(context.Context) (string, error) { return "", nil }

func (commandsOnly) Rollback() {}
