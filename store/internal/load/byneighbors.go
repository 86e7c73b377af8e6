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
func byNeighbors(ctx context.Context, rabbit bool, a *ordering.Adjacency, byDegree []uint32) ([]uint32, error) {
	if rabbit {
		return a.Rabbit(ctx, byDegree)
	}
	return a.BreadthFirst(byDegree), ctx.Err()
}

// checkAdjacency refuses lists of so many vertices and entries that do not fit beside tables and what else is held.
//
// Errors: *OrderError.
func checkAdjacency(order manifest.Order, b budget, vertices, entries, held, tables uint64) error {
	need := 9*vertices + 4*entries + held
	if order == manifest.OrderRabbit {
		workers := uint64(runtime.GOMAXPROCS(0))
		need += (ordering.RabbitVertexBytes+workers*ordering.RabbitWorkerBytes)*vertices + ordering.RabbitEntryBytes*entries
	}
	need += tables
	if have := uint64(b.room(int64(tables))) + tables; need > have {
		return &manifest.OrderError{Order: order, Reason: fmt.Sprintf(
			"needs %s for the lists of all vertices, more than the %s allowed; allow more memory, or take degree or none",
			humanize.IBytes(need), humanize.IBytes(have))}
	}
	return nil
}

// adjacency collects the spooled edges and sorts the lists, on all processors.
func adjacency(ctx context.Context, edges *edgeSpool, p *places, d *degrees) (*ordering.Adjacency, error) {
	a := &ordering.Adjacency{Starts: make([]uint64, p.count+1)}
	end := uint64(0)
	for v := range d.out {
		end += d.of(uint32(v))
		a.Starts[v] = end // and goes down to the beginning as the list fills
	}
	a.Starts[p.count] = end
	a.Neighbors = make([]uint32, end)
	err := edges.each(ctx, p, func(source, target uint32, _ []byte) error {
		a.Add(source, target)
		if d.directed || source != target {
			a.Add(target, source)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a, a.Sort(ctx)
}
