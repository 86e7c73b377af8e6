package transaction

import (
	"context"
	"log/slog"
)

// enter counts a transaction that writes, unless the compactor is at work: wait then.
func (g *Graph) enter() (wait <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.compacting == nil {
		g.writers++
	}
	return g.compacting
}

// leave is the end of a transaction that writes. The last has the compactor begin, if that
// is idle and there is enough to do.
func (g *Graph) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.writers--
	if g.writers > 0 || g.version == nil || g.version.state.Bytes < max(g.CompactAt, 1) {
		return
	}
	if g.all.Due(g) {
		g.compacting = make(chan struct{})
	}
}

// compactSoon has the compactor begin with the end of the next transaction that writes.
func (g *Graph) compactSoon() {
	g.mu.Lock()
	g.CompactAt = 0
	g.mu.Unlock()
}

// Compact compacts the graph, to which nobody writes. When it fails, changes may grow by an
// eighth of what they may take before it is tried again.
func (g *Graph) Compact(ctx context.Context, logger *slog.Logger) {
	logger.Info("compacting")
	m, err := g.all.Compact(ctx, g.Name)
	g.mu.Lock()
	defer g.mu.Unlock()
	close(g.compacting)
	g.compacting = nil
	switch {
	case err == nil:
		logger.Info("compacted", "snapshot", m.ID)
	case g.version != nil && ctx.Err() == nil:
		g.CompactAt = min(g.version.state.Bytes+g.all.Limit/8, g.all.Limit)
		logger.Error("compaction has failed", "error", err)
	}
}
