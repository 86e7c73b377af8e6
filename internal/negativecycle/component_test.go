package negativecycle_test

import (
	"context"
	"testing"

	"github.com/penstock-db/penstock/internal/depthfirst"
	"github.com/penstock-db/penstock/internal/negativecycle"
	"github.com/penstock-db/penstock/internal/testseed"
)

// graph is the weights of edges, by their ends; a vertex may have several parts of a list.
type graph [][]edge

type edge struct {
	to     uint32
	weight int
}

func (g graph) Part(v uint32, i int) (neighbors []uint32, base uint32, ok bool) {
	if i == len(g[v]) {
		return nil, 0, false
	}
	return []uint32{g[v][i].to - min(g[v][i].to, 1)}, min(g[v][i].to, 1), true
}

// Keys of components are the least that walks bring (Floyd 1962), unless the least walk from a vertex to itself is
// below 0: then a cycle is found, whose edges there are and which is below 0.
func TestSearch(t *testing.T) {
	rng := testseed.Rand(t)
	found := 0
	for range 3000 {
		n := 1 + rng.IntN(9)
		g, least := make(graph, n), make([][]int, n)
		const far = 1 << 20
		for v := range least {
			least[v] = make([]int, n)
			for u := range n {
				least[v][u] = far
			}
		}
		for range rng.IntN(3 * n) {
			u, v, w := rng.IntN(n), rng.IntN(n), rng.IntN(12)-2
			g[u], least[u][v] = append(g[u], edge{uint32(v), w}), min(least[u][v], w)
		}
		direct := make([][]int, n)
		for v := range direct {
			direct[v] = append(direct[v], least[v]...)
		}
		for k := range n {
			for u := range n {
				for v := range n {
					if w := least[u][k] + least[k][v]; least[u][k] < far && least[k][v] < far {
						least[u][v] = max(min(least[u][v], w), -far)
					}
				}
			}
		}
		var components [][]uint32
		parts := depthfirst.Search[graph]{Lists: g, Rank: make([]int32, n), Component: func(v uint32, others []int32) error {
			some := []uint32{v}
			for _, u := range others {
				some = append(some, uint32(u))
			}
			components = append(components, some)
			return nil
		}}
		parts.Begin()
		for v := range n {
			if err := parts.From(context.Background(), uint32(v)); err != nil {
				t.Fatal(err)
			}
		}
		weight := func(cycle []uint32) (sum int) {
			for i, v := range cycle {
				sum += direct[v][cycle[(i+1)%len(cycle)]]
			}
			return sum
		}
		keys := make([]int, n) // as if each had 0 from outside
		s := negativecycle.Search[int]{
			Keys: keys, Nothing: far, Rank: parts.Rank,
			Send: func(v uint32, to func(u uint32, key int)) {
				for _, e := range g[v] {
					to(e.to, keys[v]+e.weight)
				}
			},
			Gains: func(cycle []uint32) bool { return weight(cycle) < 0 },
			Ring:  make([]uint32, n), By: make([]int32, n), Mark: make([]uint32, n), Queued: make([]uint64, 1),
		}
		for _, some := range components {
			cycle, ended := s.Component(context.Background(), some)
			below := false
			for _, v := range some {
				below = below || least[v][v] < 0
			}
			switch {
			case !ended || below != (cycle != nil) || below && weight(cycle) >= 0:
				t.Fatalf("%v: the cycle %v, ended %v; one is below 0: %v", g, cycle, ended, below)
			case below:
				found++
				continue
			}
			for _, v := range some {
				want := 0
				for _, u := range some {
					want = min(want, least[u][v])
				}
				if keys[v] != want {
					t.Fatalf("%v: vertex %d has %d, not %d", g, v, keys[v], want)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no cycle was below 0: that proves little")
	}
}
