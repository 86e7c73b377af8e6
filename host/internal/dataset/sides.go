package dataset

import (
	"context"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins/mega"
	"github.com/penstock-db/penstock/store"
)

// Sides are the vertices that edges lead from, and those that they lead to, each ascending.
type Sides struct {
	Sources, Targets []uint32
	place            []uint32 // by vertex, among those of its side
}

// SidesError is a vertex of both sides.
type SidesError struct {
	Graph  string
	Vertex int
}

func (e *SidesError) Error() string {
	return fmt.Sprintf("it needs edges that lead from one type of vertices to another, but vertex %d of graph %s has edges "+
		"both from it and to it; load the graph with --left and --right", e.Vertex, e.Graph)
}

// ReadSides tells the sides apart, by degrees.
//
// Errors: *SidesError.
func ReadSides(ctx context.Context, snap *store.Snapshot) (*Sides, error) {
	n := snap.Manifest().Vertices
	from, to := make([]uint32, n), make([]uint32, n)
	if err := snap.Degrees(ctx, chunk.Out, from); err != nil {
		return nil, err
	}
	if err := snap.Degrees(ctx, chunk.In, to); err != nil {
		return nil, err
	}
	s := &Sides{place: make([]uint32, n)}
	for v := range from {
		switch {
		case from[v] > 0 && to[v] > 0:
			return nil, &SidesError{snap.Manifest().Graph, v}
		case from[v] > 0:
			s.place[v] = uint32(len(s.Sources))
			s.Sources = append(s.Sources, uint32(v))
		case to[v] > 0:
			s.place[v] = uint32(len(s.Targets))
			s.Targets = append(s.Targets, uint32(v))
		}
	}
	return s, nil
}

// Bipartite is the graph of some of the edges, those that value keeps, in their order; reversed, the left side is where
// they lead to. It takes 4 bytes an edge and what its value takes.
func Bipartite[E any](s *Sides, edges []Pair, reversed bool, value func(i int) (edge E, keep bool)) *mega.Graph[E] {
	lefts, rights := s.Sources, s.Targets
	if reversed {
		lefts, rights = rights, lefts
	}
	g := &mega.Graph[E]{Rights: len(rights), Offsets: make([]int64, len(lefts)+1)}
	each := func(do func(left, right uint32, edge E)) {
		for i, p := range edges {
			edge, keep := value(i)
			left, right := s.place[p.Source], s.place[p.Target]
			if reversed {
				left, right = right, left
			}
			if keep {
				do(left, right, edge)
			}
		}
	}
	each(func(left, _ uint32, _ E) { g.Offsets[left+1]++ })
	for u := range lefts {
		g.Offsets[u+1] += g.Offsets[u]
	}
	g.Targets, g.Edges = make([]uint32, g.Offsets[len(lefts)]), make([]E, g.Offsets[len(lefts)])
	next := append([]int64{}, g.Offsets...)
	each(func(left, right uint32, edge E) {
		g.Targets[next[left]], g.Edges[next[left]] = right, edge
		next[left]++
	})
	return g
}

// ReadEdges reads edges in the order of storage, 8 bytes each, and tells of a property's values, 1 without. Those of
// edges that tell says are learned from must be finite.
//
// Errors: *EdgeError.
func ReadEdges(ctx context.Context, snap *store.Snapshot, property string,
	tell func(p Pair, value float64) (learned bool)) (all []Pair, err error) {
	err = eachEdge(ctx, snap, property, func(pairs []Pair, of arrow.Array, view *chunk.Chunk, at []int) error {
		var numbers []float64
		if property != "" {
			numbers, _ = view.Float64s(property)
		}
		for i, p := range pairs {
			value, missing := 1.0, false
			if numbers != nil {
				value, missing = numbers[at[i]], of.IsNull(at[i])
			}
			if learned := tell(p, value); missing || learned && float32(value)-float32(value) != 0 {
				ends, err := names(ctx, snap, p)
				if err != nil {
					return err
				}
				reason := fmt.Sprintf("of %s is %v, %s", ends, value, whyNotSingle(value))
				if missing {
					reason = "has no number for " + ends + ": choose a property that every edge has"
				}
				return &EdgeError{snap.Manifest().Graph, property, reason}
			}
		}
		all = append(all, pairs...)
		return nil
	})
	return all, err
}

// Type is the label that all of some vertices have; empty: they have none in common, or several.
func Type(ctx context.Context, snap *store.Snapshot, vertices []uint32) (label string, err error) {
	const piece = 1 << 16
	n, at := snap.Manifest().Vertices, 0
	for from := uint64(0); from < n && at < len(vertices); from += piece {
		labels, err := snap.Labels(ctx, from, min(from+piece, n))
		if labels == nil || err != nil {
			return "", err
		}
		for ; at < len(vertices) && uint64(vertices[at]) < from+piece; at++ {
			here := labels[uint64(vertices[at])-from]
			if at > 0 && here != label {
				return "", nil
			}
			label = here
		}
	}
	return label, nil
}
