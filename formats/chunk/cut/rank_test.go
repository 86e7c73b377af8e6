package cut_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// leadTo are the vertices that a graph's lists lead to, each once, in order.
func (g weighted) leadTo() (all []uint64) {
	for _, list := range g.neighbors {
		for _, u := range list {
			all = append(all, uint64(u))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A rank is a member's place among all members, and leads back to it.
func TestRank(t *testing.T) {
	chunktest.EachSeed(t, 300, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		rank := cut.NewRank(300)
		for range 2 { // the second set has nothing of the first
			g := randomWeighted(r).sorted()
			var all []cut.Selection
			for _, c := range g.strips(t, r, mem) {
				all = append(all, cut.All(c))
			}
			rank.Reset(all)
			want := g.leadTo()
			if rank.Count() != uint64(len(want)) {
				t.Fatalf("%d members, expected %d", rank.Count(), len(want))
			}
			for i, v := range want {
				if rank.Of(v) != uint64(i) || rank.Vertex(uint64(i)) != v {
					t.Fatalf("vertex %d has rank %d and rank %d is of vertex %d", v, rank.Of(v), i, rank.Vertex(uint64(i)))
				}
			}
			from := uint64(r.IntN(g.n))
			within := chunk.Interval{Base: from, Count: uint64(g.n) - from}
			var got []uint64
			rank.Within(within, func(v uint64) { got = append(got, v) })
			i, _ := slices.BinarySearch(want, from)
			if !slices.Equal(got, want[i:]) {
				t.Fatalf("members %v in %+v, expected %v", got, within, want[i:])
			}
		}
	})
}

// packed is a graph whose sources and targets are numbered anew.
func packed(t *testing.T, s *cut.Subgraph) *chunk.Chunk {
	t.Helper()
	buf := chunk.Aligned(s.EncodedSize())
	n, err := s.EncodeTo(buf, 1)
	if err != nil {
		t.Fatal(err)
	}
	c, err := chunk.Open(buf[:n])
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return c
}

// Packed, rows and neighbors are numbered by their place among those that are there, and edges stay as they are.
func TestSubgraph_Packs(t *testing.T) {
	chunktest.EachSeed(t, 300, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomWeighted(r).sorted()
		var all []cut.Selection
		for _, c := range g.strips(t, r, mem) {
			all = append(all, cut.All(c))
		}
		rank := cut.NewRank(uint64(g.n))
		rank.Reset(all)
		s, err := cut.Join(all...)
		if err != nil {
			t.Fatal(err)
		}
		var rows []uint64
		s.Vertices(func(v uint64) { rows = append(rows, v) })
		if s.Lists() != len(rows) {
			t.Fatalf("%d lists of %d vertices", s.Lists(), len(rows))
		}
		first, room := uint64(r.IntN(10)), uint64(g.n+10)
		s.PackRows(chunk.Interval{Count: room}, first)
		s.PackNeighbors(chunk.Interval{Base: room, Count: room}, rank, first)
		c := packed(t, s)
		defer c.Release()
		weights, _ := c.Float64s("weight")
		targets := g.leadTo()
		if m := c.Meta(); m.Rows != (chunk.Interval{Count: room}) || m.Cols != (chunk.Interval{Base: room, Count: room}) ||
			c.Rows() != len(rows) {
			t.Fatalf("%+v", m)
		}
		for i, v := range rows {
			if at := c.Vertices()[i]; uint64(at) != first+uint64(i) {
				t.Fatalf("row %d is vertex %d", i, at)
			}
			from, to := c.Offsets()[i], c.Offsets()[i+1]
			if !slices.Equal(weights[from:to], g.weights[v]) {
				t.Fatalf("vertex %d has other weights", v)
			}
			for k, u := range c.Neighbors()[from:to] {
				if targets[uint64(u)-first] != uint64(g.neighbors[v][k]) {
					t.Fatalf("an edge of vertex %d leads to another", v)
				}
			}
		}
	})
}
