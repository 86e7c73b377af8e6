package store

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/dustin/go-humanize"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"golang.org/x/sync/errgroup"
)

// adjacency is every vertex's neighbours in memory, those of both directions in one
// ascending list: 8 bytes a vertex and 4 an entry.
type adjacency struct {
	starts     []uint64 // where the list of each vertex begins; the last is their end
	neighbours []uint32
}

func (a *adjacency) list(v uint32) []uint32 { return a.neighbours[a.starts[v]:a.starts[v+1]] }

// byNeighbours is OrderBFS or OrderRabbit, given the vertices by descending degree.
//
// Errors: *OrderError when the adjacency does not fit LoadOptions.Memory.
func (l *loader) byNeighbours(ctx context.Context, byDegree []uint32) ([]uint32, error) {
	rabbit := l.manifest.Order.Taken == manifest.OrderRabbit
	if err := l.checkAdjacency(rabbit); err != nil {
		return nil, err
	}
	a, err := l.adjacency(ctx)
	if err != nil {
		return nil, err
	}
	if rabbit {
		return a.rabbit(ctx, byDegree)
	}
	return a.breadthFirst(byDegree), ctx.Err()
}

// breadthFirst visits every vertex, beginning anew with the first root that has not
// been visited. The result is its own queue; a mark takes a byte a vertex.
func (a *adjacency) breadthFirst(roots []uint32) []uint32 {
	order := make([]uint32, 0, len(roots))
	visited := make([]bool, len(roots))
	visit := func(v uint32) {
		if !visited[v] {
			visited[v] = true
			order = append(order, v)
		}
	}
	for _, root := range roots {
		next := len(order)
		visit(root)
		for ; next < len(order); next++ {
			for _, neighbour := range a.list(order[next]) {
				visit(neighbour)
			}
		}
	}
	return order
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
		need += (rabbitVertexBytes+workers*rabbitWorkerBytes)*l.manifest.Vertices + rabbitEntryBytes*entries
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
func (l *loader) adjacency(ctx context.Context) (*adjacency, error) {
	a := &adjacency{starts: make([]uint64, l.manifest.Vertices+1)}
	end := uint64(0)
	for v := range l.out {
		end += l.degree(uint32(v))
		a.starts[v] = end // and goes down to the beginning as the list fills
	}
	a.starts[l.manifest.Vertices] = end
	a.neighbours = make([]uint32, end)
	err := l.edges(ctx, func(source, target uint32, _ []byte) error {
		a.add(source, target)
		if l.directed || source != target {
			a.add(target, source)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a, a.sort(ctx)
}

func (a *adjacency) add(v, neighbour uint32) {
	a.starts[v]--
	a.neighbours[a.starts[v]] = neighbour
}

func (a *adjacency) sort(ctx context.Context) error {
	const lists = 1 << 14
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	vertices := uint64(len(a.starts) - 1)
	for from := uint64(0); from < vertices; from += lists {
		group.Go(func() error {
			for v := from; v < min(from+lists, vertices); v++ {
				slices.Sort(a.list(uint32(v)))
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}
