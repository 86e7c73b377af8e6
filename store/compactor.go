package store

import (
	"context"
	"github.com/penstock-db/penstock/store/internal/transaction"
	"log/slog"
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

// startCompactor runs the compactor until it is stopped.
func (db *DB) startCompactor(logger *slog.Logger) {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	db.compactor = &compactor{logger: logger, due: make(chan *transaction.Graph), swept: make(chan struct{}, 1), cancel: cancel, ended: make(chan struct{})}
	go func() {
		defer close(db.compactor.ended)
		for {
			select {
			case g := <-db.compactor.due:
				g.Compact(ctx, logger.With("graph", g.Name))
			case <-db.compactor.swept:
				db.reclaimSwept(ctx, logger)
			case <-ctx.Done():
				return
			}
		}
	}()
}

// reclaimSwept gives back space that was swept by nobody who writes.
func (db *DB) reclaimSwept(ctx context.Context, logger *slog.Logger) {
	if db.acquire(ctx) != nil {
		return
	}
	defer db.release()
	if err := db.reclaim(ctx, spareSpace); err != nil && ctx.Err() == nil {
		logger.Error("space is not given back", "error", err)
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
