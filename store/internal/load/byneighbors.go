package load

import (
	"context"
	"fmt"
	"runtime"

	"github.com/dustin/go-humanize"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/ordering"
)

// byNeighbors is OrderBFS or OrderRabbit, given the vertices by descending degree.
//
// Errors: *OrderError when the adjacency does not fit LoadOptions.Memory.
func (l *loader) byNeighbors(ctx context.Context, byDegree []uint32) ([]uint32, error) {
	rabbit := l.manifest.Order.Taken == manifest.OrderRabbit
	if err := l.checkAdjacency(rabbit); err != nil {
		return nil, err
	}
	a, err := l.adjacency(ctx)
	if err != nil {
		return nil, err
	}
	if rabbit {
		return a.Rabbit(ctx, byDegree)
	}
	return a.BreadthFirst(byDegree), ctx.Err()
}

// checkAdjacency refuses what does not fit beside the edges held already.
func (l *loader) checkAdjacency(rabbit bool) error {
	entries := uint64(0)
	for v := range l.out {
		entries += l.degree(uint32(v))
	}
	need := 9*l.manifest.Vertices + 4*entries + uint64(l.held())
	if rabbit {
		workers := uint64(runtime.GOMAXPROCS(0))
		need += (ordering.RabbitVertexBytes+workers*ordering.RabbitWorkerBytes)*l.manifest.Vertices + ordering.RabbitEntryBytes*entries
	}
	tables := l.keptBytes()
	need += uint64(tables)
	if have := uint64(l.room(tables) + tables); need > have {
		return &manifest.OrderError{Order: l.manifest.Order.Taken, Reason: fmt.Sprintf(
			"needs %s for the lists of all vertices, more than the %s allowed; allow more memory, or take degree or none",
			humanize.IBytes(need), humanize.IBytes(have))}
	}
	return nil
}

// adjacency collects the spooled edges and sorts the lists, on all processors.
func (l *loader) adjacency(ctx context.Context) (*ordering.Adjacency, error) {
	a := &ordering.Adjacency{Starts: make([]uint64, l.manifest.Vertices+1)}
	end := uint64(0)
	for v := range l.out {
		end += l.degree(uint32(v))
		a.Starts[v] = end // and goes down to the beginning as the list fills
	}
	a.Starts[l.manifest.Vertices] = end
	a.Neighbors = make([]uint32, end)
	err := l.edges(ctx, func(source, target uint32, _ []byte) error {
		a.Add(source, target)
		if l.directed || source != target {
			a.Add(target, source)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a, a.Sort(ctx)
}
