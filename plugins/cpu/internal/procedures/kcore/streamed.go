package kcore

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/lists"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// streamed peels a graph that does not fit. It keeps the degree of each vertex among those that are left, and asks for
// the lists of vertices that are removed: each once, after all have come once to be counted. (Cheng, Ke, Chu, Özsu,
// "Efficient core decomposition in massive networks", ICDE 2011, peel parts of the graph; Wen, Qin, Zhang, Lin, Yu,
// "I/O efficient core graph decomposition at web scale", ICDE 2016, keep vertices alone, as here.)
//
//	count: lists of all ──▶ degrees ──▶ peel, k = 0, 1, …: lists of what is removed ──▶ degrees of its neighbors
//
// What a removal makes removable at once is removed in the same pass if its list is there. So that this happens where
// few vertices are removed, as along a path, lists come with them of vertices that one loss would remove, with numbers
// near theirs: in the whole run no more of them in vain than the graph has edges.
type streamed struct {
	procedures.Input
	degrees lists.Degrees
	core    []int64

	left    []int32  // of each vertex: neighbors that are left, but no less than k; removed: it has gone
	pending []uint32 // removed, their lists are still to come
	counted int      // vertices
	k       int32
	company lists.Company
}

const (
	removed = -1
	window  = 1 << 16 // vertices that are looked at for what comes along, on either side
)

func init() { procedures.RegisterStreamed("k-core", newStreamed) }

func newStreamed(f procedures.Input) (procedures.Streamed, error) {
	c, err := newKCore(f)
	if err != nil {
		return nil, err
	}
	return &streamed{Input: f, core: c.(*kcore).core, degrees: lists.Degrees{Out: f.Columns["out_degree"].Ints,
		In: f.Columns["in_degree"].Ints, Directed: f.Graph.Directed}}, nil
}

// Scratch: degrees and what is pending.
func (s *streamed) Scratch() uint64 { return 8 * uint64(s.N) }

// Lists are both of a vertex.
func (s *streamed) Lists() algorithms.Edges { return algorithms.BothSides }

// Keeps is false: a list is done with when its pass ends.
func (s *streamed) Keeps() bool { return false }

// Start begins to count.
func (s *streamed) Start(context.Context, uint64) error {
	s.left, s.pending = make([]int32, s.N), make([]uint32, 0, s.N)
	s.counted, s.k = 0, 0
	_, all := s.degrees.Costs()
	s.company = lists.NewCompany(all)
	return nil
}

// Next asks for the lists of vertices that are to be counted, and then of those that were removed.
func (s *streamed) Next(_ context.Context, b *lists.Batch) error {
	for ; s.counted < s.N && b.Add(s.counted); s.counted++ {
	}
	if len(b.Vertices) > 0 || s.counted < s.N {
		return nil
	}
	for len(s.pending) == 0 {
		if !s.descend() {
			return nil
		}
	}
	last := 0
	for len(s.pending) > 0 && b.Add(int(s.pending[len(s.pending)-1])) {
		last = int(s.pending[len(s.pending)-1])
		s.pending = s.pending[:len(s.pending)-1]
	}
	s.accompany(b, last)
	return nil
}

// descend removes the vertices of least degree, and tells whether there were any.
func (s *streamed) descend() bool {
	least := int32(math.MaxInt32)
	for _, left := range s.left {
		if left != removed {
			least = min(least, left)
		}
	}
	if s.k = least; least == math.MaxInt32 {
		return false
	}
	for v, left := range s.left {
		if left == least {
			s.remove(uint32(v))
		}
	}
	return true
}

// remove gives a vertex its core number. Without neighbors that are left, it has nothing to take away from.
func (s *streamed) remove(v uint32) {
	s.left[v], s.core[v] = removed, int64(s.k)
	if s.k > 0 {
		s.pending = append(s.pending, v)
	}
}

// accompany adds vertices that one loss would remove, near the last that was removed.
func (s *streamed) accompany(b *lists.Batch, last int) {
	room := s.company.Room(b) / 2
	for _, step := range []int{1, -1} {
		rest := room
		for v := last + step; v >= 0 && v < s.N && v != last+step*window; v += step {
			if s.left[v] != s.k+1 {
				continue
			}
			cost := s.degrees.Cost(v)
			if cost > rest || !b.Add(v) {
				break
			}
			rest -= cost
		}
	}
}

// Work counts neighbors, or takes those that were removed away from theirs.
func (s *streamed) Work(ctx context.Context, b *lists.Batch) error {
	if err := b.Rewrite(ctx, s.Pool, b.Neighbors); err != nil {
		return err
	}
	if s.k == 0 { // at which nothing is pending
		for i, v := range b.Vertices {
			s.left[v] = int32(len(b.Rewritten(i)))
		}
		return nil
	}
	first := len(s.pending)
	for _, v := range b.Vertices {
		if s.left[v] == removed {
			s.pending = append(s.pending, v)
		}
	}
	kept := first
	for at := first; at < len(s.pending); at++ {
		if i, here := b.Find(s.pending[at]); here {
			s.lose(b.Rewritten(i))
			continue
		}
		s.pending[kept] = s.pending[at]
		kept++
	}
	s.pending = s.pending[:kept]
	s.settle(b)
	return nil
}

// lose takes a vertex away from its neighbors.
func (s *streamed) lose(neighbors []uint32) {
	for _, u := range neighbors {
		if s.left[u] <= s.k {
			continue
		}
		if s.left[u]--; s.left[u] == s.k {
			s.remove(u)
		}
	}
}

// settle counts what has come in vain.
func (s *streamed) settle(b *lists.Batch) {
	var vain, all uint64
	for _, v := range b.Vertices {
		cost := s.degrees.Cost(int(v))
		if all += cost; s.left[v] != removed {
			vain += cost
		}
	}
	s.company.Settle(all, vain)
}
