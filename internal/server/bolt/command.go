package bolt

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
	"github.com/penstock-db/penstock/internal/server/status"
)

// command runs a statement that is one of the server's commands. It is none if the result and the
// error are nil.
func (s *session) command(ctx context.Context, text string, params map[string]value.Value) (backend.Result, error) {
	for _, command := range s.server.options.Commands {
		if command.Is(text) {
			return command.Run(ctx, text, params)
		}
	}
	return nil, nil
}

// systemGraph is where Neo4j's clients send commands to. A graph of this name comes first.
const systemGraph = "system"

// commandsOnly is a transaction on no graph.
type commandsOnly struct{}

func (commandsOnly) Run(context.Context, string, map[string]value.Value) (backend.Result, error) {
	return nil, status.Errorf(status.NotOnSystem, "there is no graph %q to run this on: only administration statements can be run here", systemGraph)
}

func (commandsOnly) Commit(context.Context) (string, error) { return "", nil }

func (commandsOnly) Rollback() {}
