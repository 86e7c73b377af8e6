package cut_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// sorted has the lists in ascending order; the weights stay where they are.
func (g weighted) sorted() weighted {
	for _, list := range g.neighbors {
		slices.Sort(list)
	}
	return g
}

// within is the graph's edges that lead into a column interval, by comparing each.
func (g weighted) within(cols chunk.Interval) weighted {
	part := weighted{n: g.n, cols: cols}
	for v, list := range g.neighbors {
		var neighbors []uint32
		var weights []float64
		for i, u := range list {
			if at := uint64(u); cols.Base <= at && at < cols.End() {
				neighbors, weights = append(neighbors, uint32(at-cols.Base)), append(weights, g.weights[v][i])
			}
		}
		part.neighbors, part.weights = append(part.neighbors, neighbors), append(part.weights, weights)
	}
	return part
}

// A subgraph of a column interval is, to the byte, the chunk that FromCSR makes of the
// active vertices' edges that lead there.
func TestSelection_WithinIsTheChunkOfTheColumns(t *testing.T) {
	chunktest.EachSeed(t, 300, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomWeighted(r).sorted()
		active, members := randomSet(r, g.n)
		strips := g.strips(t, r, mem)
		for base := 0; base < g.n; {
			cols := chunk.Interval{Base: uint64(base), Count: uint64(1 + r.IntN(g.n-base))}
			part := g.within(cols)
			var parts []cut.Selection
			edges := 0
			for _, c := range strips {
				s := cut.Select(c, active, 0, chunk.Places{}).Within(cols)
				edges += s.Edges()
				parts = append(parts, s)
			}
			present := slices.DeleteFunc(slices.Clone(members), func(v int) bool { return len(part.neighbors[v]) == 0 })
			want := part.lists(t, mem, chunk.Interval{Count: uint64(g.n)}, present, true)
			if got := join(t, r, parts...); !bytes.Equal(got, chunktest.Encode(t, want)) || edges != want.Edges() {
				t.Fatalf("columns %+v of %d, %d vertices active: %d edges selected, %d there; another chunk", cols, g.n,
					len(members), edges, want.Edges())
			}
			base = int(cols.End())
		}
	})
}

// A part of the columns is cut like any other selection.
func TestSelection_WithinCanBeCut(t *testing.T) {
	chunktest.EachSeed(t, 100, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomWeighted(r).sorted()
		base := r.IntN(g.n)
		cols := chunk.Interval{Base: uint64(base), Count: uint64(1 + r.IntN(g.n-base))}
		part := g.within(cols)
		all := make([]int, g.n)
		for v := range all {
			all[v] = v
		}
		whole := g.lists(t, mem, chunk.Interval{Count: uint64(g.n)}, all, false)
		got := make([][]uint32, g.n)
		for _, piece := range cut.All(whole).Within(cols).Cut(20+r.IntN(200), 0) {
			c := chunktest.Open(t, join(t, r, piece))
			for row, v := range c.Vertices() {
				got[v] = append(got[v], c.Neighbors()[c.Offsets()[row]:c.Offsets()[row+1]]...)
			}
			c.Release()
		}
		for v := range all {
			if !slices.Equal(got[v], part.neighbors[v]) {
				t.Fatalf("vertex %d: %v; it has %v in %+v", v, got[v], part.neighbors[v], cols)
			}
		}
	})
}
