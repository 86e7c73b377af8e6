package device

import (
	"context"
	"sync"

	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/store"
)

// LinkedCounts remembers how many vertices have an edge, by which devices go that compute with matrices. It is counted
// once while a graph stays as it is. The zero value remembers nothing yet.
type LinkedCounts struct {
	mu     sync.Mutex // protects counts
	counts map[linkedKey]uint64
}

// linkedKey names the edges of a graph at one time.
type linkedKey struct {
	graph      string
	generation uint64
}

// mostLinked is how many counts are kept.
const mostLinked = 1000

// Of is the count of a snapshot.
func (l *LinkedCounts) Of(ctx context.Context, snap *store.Snapshot) (uint64, error) {
	m := snap.Manifest()
	key := linkedKey{m.Graph, m.Topology()}
	l.mu.Lock()
	n, known := l.counts[key]
	l.mu.Unlock()
	if known {
		return n, nil
	}
	n, err := countLinked(ctx, snap)
	if err != nil {
		return n, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.counts) >= mostLinked || l.counts == nil {
		l.counts = map[linkedKey]uint64{}
	}
	l.counts[key] = n
	return n, nil
}

// countLinked takes 5 bytes a vertex meanwhile.
func countLinked(ctx context.Context, snap *store.Snapshot) (count uint64, err error) {
	n := snap.Manifest().Vertices
	degrees, linked := make([]uint32, n), make([]bool, n)
	for _, d := range plan.Directions(snap.Manifest()) {
		if err := snap.Degrees(ctx, d, degrees); err != nil {
			return 0, err
		}
		for v, degree := range degrees {
			if degree > 0 && !linked[v] {
				linked[v] = true
				count++
			}
		}
	}
	return count, nil
}
