package triangles

import (
	"context"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/lists"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// Streamed counts as Counter does on a graph that does not fit (Hu, Tao, Chung, "Massive graph triangulation", SIGMOD
// 2013): it keeps the oriented lists of as many ranks as it has room for, a block, and goes through the lists of all
// that come after them. A triangle is found at the block of its middle rank, and nowhere else.
//
//	blocks: lists by rank ──orient──▶ kept, until it is full ──▶ lists of later ranks ──orient──▶ meet those kept
//
// With room for a block of M of the E entries, lists are sent about E/M/2 times. State: 8 bytes a vertex, and 4 with
// degrees.
type Streamed struct {
	procedures.Input
	Counts    []int64  // lies in the result column
	Degrees   []uint32 // neighbors of each vertex, itself not counted; nil: not wanted
	symmetric bool
	wants     bool // Degrees
	bound     bound

	lists   lists.Degrees
	ranks   []uint32 // of each vertex
	order   []uint32 // of each rank, its vertex
	last    int      // ranks from here on are left out, or have less than two entries, and no triangles
	kept    *kept
	meeting bool // the block is full
	cursor  int  // of vertices that are still to meet the block
}

func init() {
	procedures.RegisterStreamed("triangles", func(f procedures.Input) (procedures.Streamed, error) {
		result := algorithms.Column{Name: "triangles", Type: algorithms.Int}
		s, err := NewStreamed(f, true, false, result, f.Columns[result.Name].Ints)
		return streamedTriangles{s}, err
	})
}

// streamedTriangles are half the edges opposite.
type streamedTriangles struct{ *Streamed }

// Next halves the counts in the end.
func (s streamedTriangles) Next(ctx context.Context, b *lists.Batch) error {
	err := s.Streamed.Next(ctx, b)
	if s.Done() {
		for v := range s.Counts {
			s.Counts[v] = s.bound.triangles(v, s.Counts[v])
		}
	}
	return err
}

// NewStreamed counts into counts, which lies in the result column, and degrees as well, if they are wanted.
func NewStreamed(f procedures.Input, symmetric, degrees bool, result algorithms.Column, counts []int64) (*Streamed,
	error) {
	if f.N > maxLinked {
		return nil, plugins.Errorf(plugins.KindUnsupported, "triangles of %d vertices: up to %d", f.N, maxLinked)
	}
	s := &Streamed{Input: f, Counts: counts, symmetric: symmetric, wants: degrees, bound: newBound(f),
		lists: lists.Degrees{Out: f.Columns["out_degree"].Ints, In: f.Columns["in_degree"].Ints, Directed: f.Graph.Directed}}
	return s, f.Columns.Require(result)
}

// Scratch: ranks, their vertices, and degrees.
func (s *Streamed) Scratch() uint64 {
	if s.wants {
		return 12 * uint64(s.N)
	}
	return 8 * uint64(s.N)
}

// Lists are both of a vertex.
func (s *Streamed) Lists() algorithms.Edges { return algorithms.BothSides }

// Keeps is true: a block.
func (s *Streamed) Keeps() bool { return true }

// Start ranks the vertices.
func (s *Streamed) Start(ctx context.Context, keep uint64) (err error) {
	clear(s.Counts)
	if s.ranks, err = rank(ctx, s.lists.Out, s.lists.In, s.bound.excludes); err != nil {
		return err
	}
	s.order, s.last = make([]uint32, s.N), s.N
	for v, rank := range s.ranks {
		s.order[rank] = uint32(v)
	}
	few := func(v int) bool { return s.bound.excludes(v) || s.lists.Entries(v) < 2 }
	for s.last > 0 && few(int(s.order[s.last-1])) {
		s.last--
	}
	if s.wants {
		s.Degrees = make([]uint32, s.N)
	}
	s.kept, s.meeting = newKept(keep), false
	return nil
}

// Done tells whether all blocks have been met.
func (s *Streamed) Done() bool { return !s.meeting && s.kept.next() >= s.last }

// Next asks for the lists of a block, rank by rank, and then for those that are to meet it.
func (s *Streamed) Next(_ context.Context, b *lists.Batch) error {
	if s.meeting {
		for ; s.cursor < s.N; s.cursor++ {
			if rank := int(s.ranks[s.cursor]); rank >= s.kept.next() && rank < s.last && !b.Add(s.cursor) {
				return nil
			}
		}
		if len(b.Vertices) > 0 {
			return nil
		}
		s.meeting = false
		s.kept.clear(s.kept.next())
	}
	for rank := s.kept.next(); rank < s.last && b.Add(int(s.order[rank])); rank++ {
	}
	return nil
}

// Work adds to the block, or has lists meet it.
func (s *Streamed) Work(ctx context.Context, b *lists.Batch) error {
	if err := b.Rewrite(ctx, s.Pool, func(i int) []uint32 { return s.orient(b, i) }); err != nil {
		return err
	}
	if s.meeting {
		return s.Pool.Run(ctx, len(b.Vertices), func(_, i int) {
			s.meet(ctx, int(s.ranks[b.Vertices[i]]), asLinks(b.Rewritten(i)))
		})
	}
	return s.gather(ctx, b)
}

// gather keeps lists in the order of ranks. Once there is no room, or no more ranks, those of the block meet each
// other.
func (s *Streamed) gather(ctx context.Context, b *lists.Batch) error {
	for range b.Vertices {
		i, _ := b.Find(s.order[s.kept.next()])
		if s.meeting = !s.kept.add(b.Rewritten(i)); s.meeting {
			break
		}
	}
	if !s.meeting && s.kept.next() < s.last {
		return nil
	}
	s.cursor = 0
	return s.Pool.Run(ctx, s.kept.count, func(_, i int) {
		s.meet(ctx, s.kept.first+i, s.kept.list(s.kept.first+i))
	})
}

// orient is the list of the i-th vertex as links to smaller ranks, ascending.
func (s *Streamed) orient(b *lists.Batch, i int) []uint32 {
	v, list := b.Vertices[i], b.List(i)
	own, out := s.ranks[v], len(b.Out(i))
	kept := list[:0]
	for at, u := range list {
		edges := uint32(3)
		switch {
		case u == v:
			continue
		case s.symmetric:
		case at < out:
			edges = 1
		default:
			edges = 2
		}
		kept = append(kept, s.ranks[u]<<2|edges)
	}
	slices.Sort(kept)
	distinct, smaller := kept[:0], 0
	for _, l := range kept {
		if n := len(distinct); n > 0 && distinct[n-1]>>2 == l>>2 {
			distinct[n-1] |= l
			continue
		}
		if distinct = append(distinct, l); l>>2 < own {
			smaller++
		}
	}
	if s.wants {
		s.Degrees[v] = uint32(len(distinct))
	}
	return distinct[:smaller]
}

// meet finds the triangles of a rank whose middle rank is in the block.
func (s *Streamed) meet(ctx context.Context, rank int, list []link) {
	var own int64
	for at, middle := range list {
		if !s.kept.has(middle.rank()) {
			continue
		}
		if ctx.Err() != nil {
			return
		}
		own += s.close(list[:at], middle, s.kept.list(middle.rank()))
	}
	atomic.AddInt64(&s.Counts[s.order[rank]], own)
}

// close counts the triangles of a vertex and its neighbor in the middle, which have these neighbors of smaller rank. It
// returns how many edges there are opposite the vertex.
func (s *Streamed) close(list []link, middle link, opposite []link) (own int64) {
	var atMiddle int64
	for len(list) > 0 && len(opposite) > 0 {
		switch third, edge := list[0], opposite[0]; {
		case third.rank() < edge.rank():
			list = list[1:]
		case third.rank() > edge.rank():
			opposite = opposite[1:]
		default:
			own += edge.edges()
			atMiddle += third.edges()
			atomic.AddInt64(&s.Counts[s.order[third.rank()]], middle.edges())
			list, opposite = list[1:], opposite[1:]
		}
	}
	if atMiddle > 0 {
		atomic.AddInt64(&s.Counts[s.order[middle.rank()]], atMiddle)
	}
	return own
}

func asLinks(list []uint32) []link { return unsafe.Slice((*link)(unsafe.SliceData(list)), len(list)) }
