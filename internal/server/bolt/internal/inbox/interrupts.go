package inbox

import (
	"context"
	"sync"

	"github.com/penstock-db/penstock/internal/server/bolt/internal/connection"
	"github.com/penstock-db/penstock/internal/server/status"
)

// ErrReset is a RESET, which ends what runs.
var ErrReset = status.Errorf(status.Terminated, "the transaction was ended by a RESET")

// interrupts hands out the context that requests run in. A RESET cancels it as soon as it
// arrives; once all that have arrived are answered, there is a new one.
type interrupts struct {
	parent context.Context

	mu      sync.Mutex // for all below
	resets  int        // arrived and not answered
	current context.Context
	cancel  context.CancelCauseFunc
}

func newInterrupts(parent context.Context) *interrupts {
	i := &interrupts{parent: parent}
	i.current, i.cancel = context.WithCancelCause(parent)
	return i
}

// arrived notes a RESET.
func (i *interrupts) arrived() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.resets++
	i.cancel(ErrReset)
}

// answered notes that a RESET has been answered.
func (i *interrupts) answered() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.resets--; i.resets == 0 {
		i.current, i.cancel = context.WithCancelCause(i.parent)
	}
}

// context is that of the next request, unless a RESET is to come.
func (i *interrupts) context() (ctx context.Context, interrupted bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.current, i.resets > 0
}

// end frees the context.
func (i *interrupts) end() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.cancel(connection.ErrGone)
}
