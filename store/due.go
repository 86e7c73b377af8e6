package store

import (
	"context"
	"log/slog"
)

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
	if g.all.Due(g) {
		g.compacting = make(chan struct{})
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
	m, err := g.all.Compact(ctx, g.name)
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.compacting)
	g.compacting = nil
	switch {
	case err == nil:
		logger.Info("compacted", "snapshot", m.ID)
	case g.version != nil && ctx.Err() == nil:
		g.compactAt = min(g.version.state.Bytes+g.all.Limit/8, g.all.Limit)
		logger.Error("compaction has failed", "error", err)
	}
}
