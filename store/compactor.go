package store

import (
	"context"
	"log/slog"

	"github.com/penstock-db/penstock/store/internal/transaction"
)

// compactor compacts graphs in the background once their changes take a quarter of what they
// may: half of it has transactions wait that write (see Begin), all of it has commits refused.
// It begins when no transaction is open that writes, and those that come meanwhile wait, so
// that it makes no conflicts. It also gives space back that snapshots leave behind.
type compactor struct {
	logger *slog.Logger
	due    chan *transaction.Graph // nobody waits while it is at work: who ends next tells it again
	swept  chan struct{}           // holds one token when something was deleted
	cancel context.CancelFunc
	ended  chan struct{}
}

// startCompactor runs a compactor until it is stopped. reclaim gives back space that was swept while nothing wrote.
func startCompactor(logger *slog.Logger, reclaim func(context.Context) error) *compactor {
	ctx, cancel := context.WithCancel(context.Background())
	c := &compactor{
		logger: logger, due: make(chan *transaction.Graph), swept: make(chan struct{}, 1),
		cancel: cancel, ended: make(chan struct{}),
	}
	go c.run(ctx, reclaim)
	return c
}

func (c *compactor) run(ctx context.Context, reclaim func(context.Context) error) {
	defer close(c.ended)
	for {
		select {
		case g := <-c.due:
			g.Compact(ctx, c.logger.With("graph", g.Name))
		case <-c.swept:
			if err := reclaim(ctx); err != nil && ctx.Err() == nil {
				c.logger.Error("space is not given back", "error", err)
			}
		case <-ctx.Done():
			return
		}
	}
}

// notice tells the compactor that something was deleted.
func (c *compactor) notice() {
	if c == nil {
		return
	}
	select {
	case c.swept <- struct{}{}:
	default:
	}
}

// stop ends the compactor, and what it is doing.
func (c *compactor) stop() {
	if c != nil {
		c.cancel()
		<-c.ended
	}
}

// take has g compacted; false: the compactor is at work.
func (c *compactor) take(g *transaction.Graph) bool {
	select {
	case c.due <- g:
		return true
	default:
		return false
	}
}
