package store

import (
	"context"
	"log/slog"
)

// compactor compacts graphs in the background once their changes take a quarter of what they
// may: half of it has transactions wait that write (see Begin), all of it has commits refused.
// It begins when no transaction is open that writes, and those that come meanwhile wait, so
// that it makes no conflicts. It also gives space back that snapshots leave behind.
type compactor struct {
	logger *slog.Logger
	due    chan *graph   // nobody waits while it is at work: who ends next tells it again
	swept  chan struct{} // holds one token when something was deleted
	cancel context.CancelFunc
	ended  chan struct{}
}

// startCompactor runs the compactor until it is stopped.
func (db *DB) startCompactor(logger *slog.Logger) {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	db.compactor = &compactor{logger: logger, due: make(chan *graph), swept: make(chan struct{}, 1), cancel: cancel, ended: make(chan struct{})}
	go func() {
		defer close(db.compactor.ended)
		for {
			select {
			case g := <-db.compactor.due:
				g.compact(ctx, logger.With("graph", g.name))
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

// enter counts a transaction that writes, unless the compactor is at work: wait then.
func (g *graph) enter() (wait <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.compacting == nil {
		g.writers++
	}
	return g.compacting
}

// leave is the end of a transaction that writes. The last has the compactor begin, if that
// is idle and there is enough to do.
func (g *graph) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.writers--
	if g.writers > 0 || g.version == nil || g.version.state.Bytes < max(g.compactAt, 1) {
		return
	}
	select {
	case g.db.compactor.due <- g:
		g.compacting = make(chan struct{})
	default:
	}
}

// compactSoon has the compactor begin with the end of the next transaction that writes.
func (g *graph) compactSoon() {
	g.mu.Lock()
	g.compactAt = 0
	g.mu.Unlock()
}

// compact compacts the graph, to which nobody writes. When it fails, changes may grow by an
// eighth of what they may take before it is tried again.
func (g *graph) compact(ctx context.Context, logger *slog.Logger) {
	logger.Info("compacting")
	m, err := g.db.Compact(ctx, g.name)
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.compacting)
	g.compacting = nil
	switch {
	case err == nil:
		logger.Info("compacted", "snapshot", m.ID)
	case g.version != nil && ctx.Err() == nil:
		g.compactAt = min(g.version.state.Bytes+g.db.graphs.limit/8, g.db.graphs.limit)
		logger.Error("compaction has failed", "error", err)
	}
}
