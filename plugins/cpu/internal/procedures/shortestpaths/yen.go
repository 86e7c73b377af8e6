package shortestpaths

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// path is a way from a source to a target.
type path struct {
	vertices []uint32
	costs    []float64 // from the first vertex to each
	leaves   int       // the place from which on it differs from the path that it was found beside
}

func (p path) cost() float64 { return p.costs[len(p.costs)-1] }

// yen finds the k shortest paths of a pair: each but the first leaves one that was found before at some vertex, and is
// the least that does, not along edges by which others left there. (Yen 1971.) Where a path itself left another, it is
// not left any earlier again. (Lawler 1972.) The distances to the target in the whole graph guide all these searches,
// which therefore hardly leave the path that they find; and none goes on beyond the paths of which there are enough.
type yen struct {
	back, ahead *side
}

func newYen(ids []int64, out, in csr.Index) *yen {
	y := &yen{back: newSide(ids, in, false, false), ahead: newSide(ids, out, true, true)}
	y.ahead.guide = func(v uint32) float64 { return y.back.cost[v] }
	y.ahead.shut = make([]uint64, bitmap.Words(len(ids)))
	return y
}

func (y *yen) paths(ctx context.Context, source, target uint32, k int) (all []path, err error) {
	y.back.begin(target, 0, 0)
	if err := y.back.reach(ctx, nil); err != nil {
		return nil, err
	}
	y.ahead.closed = nil
	first, found, err := y.spur(ctx, path{vertices: []uint32{source}, costs: []float64{0}}, 0, target, math.Inf(1))
	if !found {
		return nil, err
	}
	var others []path // the least of those that are known, ascending: as many as are wanted still
	for all = []path{first}; len(all) < k; {
		if others, err = y.beside(ctx, all, others, k-len(all)); err != nil {
			return nil, err
		}
		if len(others) == 0 {
			break
		}
		all, others = append(all, others[0]), others[1:]
	}
	return all, nil
}

// beside adds to others the paths that leave the last of all, and keeps so many.
func (y *yen) beside(ctx context.Context, all, others []path, wanted int) ([]path, error) {
	last := all[len(all)-1]
	target := last.vertices[len(last.vertices)-1]
	shared := make([]int, len(all)) // vertices at the beginning of each that are those of the last
	for i, p := range all {
		for shared[i] < min(len(p.vertices), len(last.vertices)) && p.vertices[shared[i]] == last.vertices[shared[i]] {
			shared[i]++
		}
	}
	defer clear(y.ahead.shut)
	for at := range len(last.vertices) - 1 {
		if at >= last.leaves {
			y.ahead.closed = y.ahead.closed[:0]
			for i, p := range all {
				if shared[i] > at && len(p.vertices) > at+1 {
					y.ahead.closed = append(y.ahead.closed, p.vertices[at+1])
				}
			}
			limit := math.Inf(1)
			if len(others) == wanted {
				limit = others[wanted-1].cost()
			}
			p, found, err := y.spur(ctx, last, at, target, limit)
			if err != nil {
				return nil, err
			}
			if found {
				place, _ := slices.BinarySearchFunc(others, p, y.compare)
				others = slices.Insert(others, place, p)
				others = others[:min(len(others), wanted)]
			}
		}
		v := last.vertices[at]
		y.ahead.shut[v/64] |= 1 << (v % 64)
	}
	return others, nil
}

// spur is the least path that goes on from a place of root, which cost no more than limit.
func (y *yen) spur(ctx context.Context, root path, at int, target uint32, limit float64) (p path, found bool,
	err error) {
	y.ahead.begin(root.vertices[at], root.costs[at], uint32(at))
	if found, err = y.ahead.seek(ctx, target, limit); !found || err != nil {
		return p, false, err
	}
	return y.ahead.path(root, at, target), true, nil
}

// path is a way that goes on from a place of root.
func (s *side) path(root path, at int, target uint32) path {
	way := s.way(nil, target)
	slices.Reverse(way)
	p := path{vertices: append(slices.Clone(root.vertices[:at]), way...), costs: slices.Clone(root.costs[:at]), leaves: at}
	for _, v := range way {
		p.costs = append(p.costs, s.cost[v])
	}
	return p
}

// compare orders paths by costs, then by how many edges they have, then by ids.
func (y *yen) compare(p, q path) int {
	return cmp.Or(cmp.Compare(p.cost(), q.cost()), cmp.Compare(len(p.vertices), len(q.vertices)),
		slices.CompareFunc(p.vertices, q.vertices, y.ahead.byID))
}
