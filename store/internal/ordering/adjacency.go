// Package ordering finds orders in which vertices that are neighbors lie beside one another in memory.
package ordering

import (
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// Adjacency is every vertex's neighbors in memory, those of both directions in one
// ascending list: 8 bytes a vertex and 4 an entry.
type Adjacency struct {
	Starts    []uint64 // where the list of each vertex begins; the last is their end
	Neighbors []uint32
}

func (a *Adjacency) List(v uint32) []uint32 { return a.Neighbors[a.Starts[v]:a.Starts[v+1]] }

// BreadthFirst visits every vertex, beginning anew with the first root that has not
// been visited. The result is its own queue; a mark takes a byte a vertex.
func (a *Adjacency) BreadthFirst(roots []uint32) []uint32 {
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
			for _, neighbor := range a.List(order[next]) {
				visit(neighbor)
			}
		}
	}
	return order
}

func (a *Adjacency) Add(v, neighbor uint32) {
	a.Starts[v]--
	a.Neighbors[a.Starts[v]] = neighbor
}

func (a *Adjacency) Sort(ctx context.Context) error {
	const lists = 1 << 14
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	vertices := uint64(len(a.Starts) - 1)
	for from := uint64(0); from < vertices; from += lists {
		group.Go(func() error {
			for v := from; v < min(from+lists, vertices); v++ {
				slices.Sort(a.List(uint32(v)))
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}
