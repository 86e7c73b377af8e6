package cut_test

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/chunk/cut"
	"github.com/penstock-db/penstock/formats/chunk/internal/chunktest"
)

// Of each interval Rows takes the lists of its vertices, and nothing else.
func TestRows_AreTheListsOfTheInterval(t *testing.T) {
	chunktest.EachSeed(t, 300, func(t *testing.T, r *rand.Rand) {
		mem := chunktest.LeakChecked(t)
		g := randomWeighted(r)
		for _, c := range g.strips(t, r, mem) {
			for _, interval := range randomColumns(r, g.n) {
				set := make([]uint64, (g.n+63)/64)
				for v := interval.Base; v < interval.End(); v++ {
					set[v/64] |= 1 << (v % 64)
				}
				got, others := cut.Rows(c, interval, r.IntN(2) == 0) // all chunks are shorter than SumEdges
				before, _ := cut.Rows(c, chunk.Interval{Count: interval.Base}, false)
				if others != 0 {
					if got.Edges() == 0 || others != before.Edges() {
						t.Fatalf("%d edges, and %d before %v", got.Edges(), others, interval)
					}
					continue
				}
				same(t, r, got, cut.Select(c, set, 0, chunk.Places{}))
			}
		}
	})
}

// What is added up begins where a sum of the whole chunk begins, with fewer edges of others than a sum has.
func TestRows_BeginWithASum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	mem := chunktest.LeakChecked(t)
	const n = 200
	g := weighted{n: n, cols: chunk.Interval{Count: n}, weights: make([][]float64, n)}
	all := make([]int, n)
	for v := range n {
		all[v] = v
		list := make([]uint32, r.IntN(2000))
		g.neighbors, g.weights[v] = append(g.neighbors, list), make([]float64, len(list))
	}
	c := g.lists(t, mem, chunk.Interval{Count: n}, all, r.IntN(2) == 0)
	for _, cols := range [][]chunk.Interval{randomColumns(r, n), {{Base: 90, Count: 20}}} {
		for _, interval := range cols {
			exact, none := cut.Rows(c, interval, false)
			got, others := cut.Rows(c, interval, true)
			first := int(c.Offsets()[interval.Base])
			if none != 0 || got.Edges() != exact.Edges()+others || others != first%chunk.SumEdges && exact.Edges() > 0 {
				t.Errorf("%v: %d edges and %d; of others %d, before are %d", interval, exact.Edges(), got.Edges(), others, first)
			}
		}
	}
}
