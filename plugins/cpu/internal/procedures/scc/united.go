package scc

import (
	"context"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/lists"
)

// united finds the components of an undirected graph, in one pass over its lists: each edge unites the sets of its
// ends. A set is named by its least vertex, where paths are halved. (Tarjan and van Leeuwen, "Worst-case analysis of set
// union algorithms", 1984.)
type united struct {
	*scc
	parent []uint32
	cursor int
}

func (s *united) Scratch() uint64 { return 4 * uint64(s.N) }

// Lists are both of a vertex.
func (s *united) Lists() algorithms.Edges { return algorithms.BothSides }

func (s *united) Keeps() bool { return false }

// Start has each vertex be a set.
func (s *united) Start(context.Context, uint64) error {
	s.parent, s.cursor = make([]uint32, s.N), 0
	for v := range s.parent {
		s.parent[v] = uint32(v)
	}
	return nil
}

// Next asks for the lists of all vertices, and names the components in the end.
func (s *united) Next(_ context.Context, b *lists.Batch) error {
	for ; s.cursor < s.N && b.Add(s.cursor); s.cursor++ {
	}
	if len(b.Vertices) > 0 || s.cursor < s.N {
		return nil
	}
	for v := range s.parent {
		s.parent[v] = s.find(uint32(v))
	}
	s.name(s.parent)
	return nil
}

// Work unites.
func (s *united) Work(ctx context.Context, b *lists.Batch) error {
	for i, v := range b.Vertices {
		for _, u := range b.Out(i) {
			x, y := s.find(v), s.find(u)
			s.parent[max(x, y)] = min(x, y)
		}
	}
	return ctx.Err()
}

func (s *united) find(v uint32) uint32 {
	for s.parent[v] != v {
		s.parent[v] = s.parent[s.parent[v]]
		v = s.parent[v]
	}
	return v
}
