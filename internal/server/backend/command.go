package backend

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
)

// Command answers statements that are about the server and not about a graph. They take effect at
// once, also within a transaction, and are not rolled back with it.
type Command interface {
	// Is tells whether a statement is of its kind, right or wrong.
	Is(text string) bool
	// Run runs a statement of its kind.
	Run(ctx context.Context, text string, params map[string]value.Value) (Result, error)
}
