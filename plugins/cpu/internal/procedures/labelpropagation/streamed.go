package labelpropagation

import (
	"context"
	"sync/atomic"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/lists"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
	"github.com/penstock-db/penstock/plugins/internal/bitmap"
)

// streamed is cdlp on a graph that does not fit. An iteration goes through the lists of all vertices that are due,
// batch by batch; after the first these are the neighbors of those whose label has changed, since no other can elect
// anew.
type streamed struct {
	*cdlp
	degrees     lists.Degrees
	label, next []uint32 // of each vertex, in this iteration and in the next one
	due, later  []uint64 // sets: of this iteration, from the cursor on, and of the next one
	ballots     []ballot // of each worker
	iteration   int64
	cursor      int
}

func init() { procedures.RegisterStreamed("cdlp", newStreamed) }

func newStreamed(f procedures.Input) (procedures.Streamed, error) {
	c, err := newCDLP(f)
	if err != nil {
		return nil, err
	}
	return &streamed{cdlp: c.(*cdlp), degrees: lists.Degrees{Out: f.Columns["out_degree"].Ints,
		In: f.Columns["in_degree"].Ints, Directed: f.Graph.Directed}}, nil
}

// Scratch adds the sets to what cdlp has.
func (s *streamed) Scratch() uint64 { return s.cdlp.Scratch() + 16*uint64(bitmap.Words(s.N)) }

// Lists are both of a vertex.
func (s *streamed) Lists() algorithms.Edges { return algorithms.BothSides }

// Keeps is false: a list is done with when its pass ends.
func (s *streamed) Keeps() bool { return false }

// Start has all vertices due that have a neighbor.
func (s *streamed) Start(context.Context, uint64) error {
	s.label, s.next = make([]uint32, s.N), make([]uint32, s.N)
	s.due, s.later = make([]uint64, bitmap.Words(s.N)), make([]uint64, bitmap.Words(s.N))
	for v := range s.label {
		s.label[v], s.next[v] = uint32(v), uint32(v)
		if s.degrees.Entries(v) > 0 {
			s.due[v/64] |= 1 << (v % 64)
		}
	}
	s.ballots = make([]ballot, s.Pool.Threads)
	for i := range s.ballots {
		s.ballots[i] = ballot{ids: s.ids, votes: make([]uint32, s.N)}
	}
	s.iteration, s.cursor = 0, 0
	return nil
}

// Next asks for the lists of vertices that are due. Without any, another iteration would change nothing.
func (s *streamed) Next(_ context.Context, b *lists.Batch) error {
	for s.iteration < s.iterations && bitmap.Count(s.due) > 0 {
		if s.add(b); len(b.Vertices) > 0 || b.Refused {
			return nil
		}
		s.iteration, s.cursor = s.iteration+1, 0
		copy(s.label, s.next)
		s.due, s.later = s.later, s.due
		clear(s.later)
	}
	for v, l := range s.label {
		s.community[v] = s.ids[l]
	}
	return nil
}

// add adds vertices that are due, from the cursor on, as many as there is room for.
func (s *streamed) add(b *lists.Batch) {
	for ; s.cursor < s.N; s.cursor++ {
		if s.cursor%64 == 0 && s.due[s.cursor/64] == 0 {
			s.cursor += 63
		} else if bitmap.Has(s.due, s.cursor) && !b.Add(s.cursor) {
			return
		}
	}
}

// Work elects the next labels. The neighbors of a vertex whose label changes are due in the next iteration.
func (s *streamed) Work(ctx context.Context, b *lists.Batch) error {
	return s.Pool.Run(ctx, len(b.Vertices), func(worker, i int) {
		v, list, ballot := b.Vertices[i], b.List(i), &s.ballots[worker]
		ballot.cast(s.label, list)
		if s.next[v], _ = ballot.count(s.label, list, s.label[v], 0); s.next[v] == s.label[v] {
			return
		}
		for _, u := range list {
			atomic.OrUint64(&s.later[u/64], 1<<(u%64))
		}
	})
}
