package algorithm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Routes cost what relaxing all relationships n times finds, and are of relationships; where that goes on, cycles of
// negative weight are told, which have no node in common, and leave no other one.
func TestRoutes_AreCheapestOrNegativeCycles(t *testing.T) {
	looped, several := 0, 0
	for seed := range uint64(2000) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		n := randomNetwork(rnd)
		r, err := n.routes(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		costs, negative := n.relaxed(nil)
		if negative != (len(r.cycles) > 0) {
			t.Fatalf("seed %d: negative cycle: %t, told: %v", seed, negative, r.cycles)
		}
		if looped += len(r.cycles); len(r.cycles) > 1 {
			several++
		}
		if !negative && !slices.Equal(costs, r.costs) {
			t.Fatalf("seed %d: costs %v, expected %v", seed, r.costs, costs)
		}
		if _, left := n.relaxed(r.looped); left {
			t.Fatalf("seed %d: %v leave a negative cycle", seed, r.cycles)
		}
		met := map[uint64]bool{}
		if err := r.each(func(nodes []uint64, sums []float64) error {
			last := len(nodes) - 1
			for i := range nodes[:last] {
				if !n.joins(nodes[i], nodes[i+1], sums[i+1]-sums[i]) {
					t.Errorf("seed %d: no relationship from %d to %d of the route %v, %v", seed, nodes[i], nodes[i+1], nodes, sums)
				}
				if negative && met[nodes[i]] {
					t.Errorf("seed %d: node %d is on two of the cycles %v", seed, nodes[i], r.cycles)
				}
				met[nodes[i]] = true
			}
			switch {
			case negative && (nodes[0] != nodes[last] || sums[last] >= 0):
				t.Errorf("seed %d: %v, %v is no negative cycle", seed, nodes, sums)
			case !negative && (nodes[0] != 0 || sums[last] != costs[nodes[last]]):
				t.Errorf("seed %d: %v, %v is no route from 0", seed, nodes, sums)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if looped < 500 || looped > 4000 || several < 100 {
		t.Errorf("%d negative cycles, %d times several: the graphs are of one kind", looped, several)
	}
}

// randomNetwork has whole numbers as weights, a third of them negative: sums are exact.
func randomNetwork(rnd *rand.Rand) *network {
	n := &network{known: make([]bool, 1+rnd.IntN(20)), offsets: []uint32{0}}
	for range n.known {
		for range rnd.IntN(4) {
			n.others = append(n.others, uint32(rnd.IntN(len(n.known))))
			n.weights = append(n.weights, float64(rnd.IntN(15)-4))
		}
		n.offsets = append(n.offsets, uint32(len(n.others)))
	}
	return n
}

// relaxed is what each node costs from 0, and whether that has no bound. Without some nodes, all others begin at 0 that
// can be reached with these.
func (n *network) relaxed(without []bool) (costs []float64, endless bool) {
	costs = slices.Repeat([]float64{math.Inf(1)}, len(n.known))
	costs[0] = 0
	if without != nil {
		for i, reached := range n.reached() {
			if reached && !without[i] {
				costs[i] = 0
			}
		}
	}
	for round := 0; round <= len(n.known); round++ {
		endless = false
		for from := range n.known {
			for k := n.offsets[from]; k < n.offsets[from+1]; k++ {
				to := n.others[k]
				if without != nil && (without[from] || without[to]) {
					continue
				}
				if cost := costs[from] + n.weights[k]; cost < costs[to] {
					costs[to], endless = cost, true
				}
			}
		}
	}
	return costs, endless
}

func (n *network) reached() []bool {
	seen := make([]bool, len(n.known))
	seen[0] = true
	for waiting := []uint32{0}; len(waiting) > 0; waiting = waiting[1:] {
		for _, to := range n.list(waiting[0]) {
			if !seen[to] {
				seen[to] = true
				waiting = append(waiting, to)
			}
		}
	}
	return seen
}

func (n *network) joins(from, to uint64, weight float64) bool {
	for k := n.offsets[from]; k < n.offsets[from+1]; k++ {
		if uint64(n.others[k]) == to && n.weights[k] == weight {
			return true
		}
	}
	return false
}
