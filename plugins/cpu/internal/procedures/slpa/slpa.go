// Package slpa finds communities by speakers and listeners. It takes 4 bytes a vertex and iteration, and 4 for each
// edge of the vertex with the most, for each thread.
package slpa

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/community"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// slpa has each vertex remember labels, which are vertices. What is heard in an iteration is not said before the next,
// so that vertices listen side by side. (Xie, Szymanski, Liu 2011.)
type slpa struct {
	procedures.Input
	ids, community []int64
	share          []float64
	sides          []csr.Index // whose lists have all edges of a vertex
	memory         []uint32    // iterations + 1 labels of each vertex
	heard          [][]uint32  // of each worker
}

func init() {
	procedures.Register("slpa", func(f procedures.Input) (procedures.Procedure, error) {
		if f.N > math.MaxInt32 {
			return nil, plugins.Errorf(plugins.KindUnsupported, "communities of %d vertices: up to %d", f.N, math.MaxInt32)
		}
		integers := func(name string) algorithms.Column { return algorithms.Column{Name: name, Type: algorithms.Int} }
		err := f.Columns.Require(integers("id"), integers("out_degree"), integers("in_degree"),
			algorithms.Column{Name: "community", Type: algorithms.VertexID},
			algorithms.Column{Name: "share", Type: algorithms.Float})
		return &slpa{Input: f, ids: f.Columns["id"].Ints, community: f.Columns["community"].Ints,
			share: f.Columns["share"].Floats}, err
	})
}

// Scratch: what is remembered, and heard.
func (s *slpa) Scratch() uint64 {
	return 4*uint64(s.N)*uint64(s.room()) + 4*uint64(s.Pool.Threads)*uint64(max(s.most(), s.room()))
}

// room is how many labels a vertex remembers.
func (s *slpa) room() int { return int(s.Args.Ints["iterations"]) + 1 }

// most is the largest number of edges that a vertex has.
func (s *slpa) most() int {
	most := int64(0)
	for v, out := range s.Columns["out_degree"].Ints {
		most = max(most, out+s.Columns["in_degree"].Ints[v])
	}
	return int(most)
}

func (s *slpa) Call(ctx context.Context, chunks []*csr.Chunk, tell func(float64)) (uint64, error) {
	s.sides = csr.EitherWay(s.Graph.Directed, chunks)
	room := s.room()
	s.memory, s.heard = make([]uint32, s.N*room), make([][]uint32, s.Pool.Threads)
	for i := range s.heard {
		s.heard[i] = make([]uint32, 0, max(s.most(), room))
	}
	for v := range s.N {
		s.memory[v*room] = uint32(v)
	}
	for k := 1; k < room; k++ {
		part := procedures.Progress{From: float64(k-1) / float64(room), To: float64(k) / float64(room), Tell: tell}
		err := s.Groups(ctx, nil, part, func(worker, from, to int, _ []*csr.Chunk) {
			for v := from; v < to; v++ {
				s.memory[v*room+k] = s.listen(worker, uint32(v), k)
			}
		})
		if err != nil {
			return 0, err
		}
	}
	part := procedures.Progress{From: float64(room-1) / float64(room), To: 1, Tell: tell}
	return uint64(room-1) * csr.Entries(chunks), s.Groups(ctx, nil, part, func(worker, from, to int, _ []*csr.Chunk) {
		for v := from; v < to; v++ {
			label, count := s.frequent(append(s.heard[worker][:0], s.memory[v*room:(v+1)*room]...))
			s.community[v], s.share[v] = s.ids[label], float64(count)/float64(room)
		}
	})
}

// listen is the label that v hears most, when all remember so many.
func (s *slpa) listen(worker int, v uint32, count int) uint32 {
	heard, room := s.heard[worker][:0], s.room()
	seed := uint64(s.Args.Ints["seed"])
	for _, side := range s.sides {
		for _, c := range side.Of(int(v)) {
			base := uint32(c.Cols.Base)
			for _, local := range c.List(int(v)) {
				u := base + local
				if u == v {
					continue
				}
				at := community.Spoken(seed, uint64(count-1), s.ids[u], s.ids[v], count)
				heard = append(heard, s.memory[int(u)*room+at])
			}
		}
	}
	if len(heard) == 0 {
		return v
	}
	label, _ := s.frequent(heard)
	return label
}

// frequent is the label that is there most often, of several the smallest id, and how often. It sorts them.
func (s *slpa) frequent(labels []uint32) (best uint32, most int) {
	slices.SortFunc(labels, func(a, b uint32) int { return cmp.Compare(s.ids[a], s.ids[b]) })
	for from := 0; from < len(labels); {
		to := from
		for to < len(labels) && labels[to] == labels[from] {
			to++
		}
		if to-from > most {
			best, most = labels[from], to-from
		}
		from = to
	}
	return best, most
}
