// Package biconnected finds articulation points, bridges and biconnected components, by a depth-first search. It takes
// 28 bytes a vertex; all but articulation points 4 more.
package biconnected

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// search goes along edges either way, from the vertex with the smallest id of each component. Nothing recurses: paths
// may be as long as the graph. (Hopcroft and Tarjan 1973.)
type search struct {
	procedures.Input
	ids   []int64
	sides []csr.Index // whose lists have all edges of a vertex
	order []uint32    // vertices, by ids
	rank  []int32     // order of visiting, from 1; 0: not visited
	low   []int32     // the least rank that an edge from a vertex, or from what was visited after it, leads to
	path  []frame     // from the root to where the search is
	count int32       // of those visited
	// leave is called when a vertex' visit ends, after low of parent has been updated; none: it is a root.
	leave func(v uint32, parent *uint32)
}

// frame is a vertex on the path.
type frame struct {
	done   uint64 // of its entries
	vertex uint32
	up     bool // one entry has led to its parent: the edge that the search came by
}

// vertexBytes is what Begin takes of a vertex.
const vertexBytes = 16 + 4 + 4 + 4

func newSearch(f procedures.Input, columns ...algorithms.Column) (*search, error) {
	if f.N >= math.MaxInt32 {
		return nil, plugins.Errorf(plugins.KindUnsupported, "a search of %d vertices: up to %d", f.N, math.MaxInt32-1)
	}
	err := f.Columns.Require(append(columns, algorithms.Column{Name: "id", Type: algorithms.Int})...)
	return &search{Input: f, ids: f.Columns["id"].Ints}, err
}

// run visits all vertices.
func (s *search) run(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	s.order, s.rank, s.low = make([]uint32, s.N), make([]int32, s.N), make([]int32, s.N)
	s.path, s.count = make([]frame, 0, s.N), 0
	s.sides = csr.EitherWay(s.Graph.Directed, chunks)
	for v := range s.order {
		s.order[v] = uint32(v)
	}
	slices.SortFunc(s.order, func(a, b uint32) int { return cmp.Compare(s.ids[a], s.ids[b]) })
	told := 0.0
	for _, root := range s.order {
		if s.rank[root] != 0 {
			continue
		}
		s.enter(root)
		for steps := 1; len(s.path) > 0; steps++ {
			if steps%4096 == 0 {
				if err := ctx.Err(); err != nil {
					return 0, err
				}
				if at := float64(s.count) / float64(s.N); at-told >= 0.01 {
					told = at
					tell(at)
				}
			}
			s.step()
		}
	}
	return csr.Entries(chunks), ctx.Err()
}

func (s *search) enter(v uint32) {
	s.count++
	s.rank[v], s.low[v] = s.count, s.count
	s.path = append(s.path, frame{vertex: v})
}

// step looks at the next entry of the last vertex on the path, or ends its visit.
func (s *search) step() {
	last := len(s.path) - 1
	f := &s.path[last]
	v := f.vertex
	w, found := s.next(f)
	switch {
	case !found:
		s.path = s.path[:last]
		if last == 0 {
			s.leave(v, nil)
			return
		}
		parent := &s.path[last-1].vertex
		s.low[*parent] = min(s.low[*parent], s.low[v])
		s.leave(v, parent)
	case s.rank[w] == 0:
		s.enter(w)
	case last > 0 && w == s.path[last-1].vertex && !f.up:
		f.up = true
	default:
		s.low[v] = min(s.low[v], s.rank[w])
	}
}

// next is the vertex that the next entry leads to.
func (s *search) next(f *frame) (w uint32, found bool) {
	skip := f.done
	for _, side := range s.sides {
		for _, c := range side.Of(int(f.vertex)) {
			list := c.List(int(f.vertex))
			if skip < uint64(len(list)) {
				f.done++
				return uint32(c.Cols.Base) + list[skip], true
			}
			skip -= uint64(len(list))
		}
	}
	return 0, false
}
