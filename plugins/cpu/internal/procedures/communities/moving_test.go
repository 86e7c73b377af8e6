package communities

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// testNetwork has n vertices and edges of weights from 0 to 9, in both lists.
func testNetwork(random *rand.Rand, n, edges int) *network {
	weights := make([]map[uint32]int64, n)
	for v := range weights {
		weights[v] = map[uint32]int64{}
	}
	for range edges {
		u, v, w := random.IntN(n), random.IntN(n), random.Int64N(10)
		if u != v {
			weights[u][uint32(v)], weights[v][uint32(u)] = w, w
		}
	}
	net := &network{lists: newLists(n, uint64(2*edges)), strength: make([]int64, n)}
	at := uint64(0)
	for v, list := range weights {
		net.starts[v] = at
		for u, w := range list {
			net.neighbors[at], net.weights[at] = u, w
			net.strength[v] += w
			net.total += w
			at++
		}
		net.ends[v] = at
	}
	return net
}

func testRun(n, threads, batch int, resolution float64) *run {
	r := &run{Input: procedures.Input{N: n, Pool: parallel.New(threads)}, resolution: resolution, batch: batch}
	for range threads {
		r.tallies = append(r.tallies, newTally(n))
	}
	return r
}

// modularity is Q by its definition.
func modularity(net *network, community []uint32, expected float64) (q float64) {
	strengths := make([]float64, net.vertices())
	for v := range community {
		neighbors, weights := net.of(uint32(v))
		for i, u := range neighbors {
			if community[u] == community[v] {
				q += float64(weights[i])
			}
		}
		strengths[community[v]] += float64(net.strength[v])
	}
	for _, k := range strengths {
		q -= expected * k * k
	}
	return q / float64(max(net.total, 1))
}

// No batch makes modularity less, however many vertices it has, and what moving counts as gained is what has been
// gained: neighbors do not move together, and what has become a loss is not done.
func TestMoving_EveryBatchGains(t *testing.T) {
	random := testseed.Rand(t)
	for range 200 {
		n := 2 + random.IntN(200)
		net := testNetwork(random, n, random.IntN(5*n))
		r := testRun(n, 1+random.IntN(3), 1+random.IntN(n), 0.5+random.Float64())
		community := make([]uint32, n)
		for v := range community {
			community[v] = uint32(random.IntN(n))
		}
		m := r.newMoving(net, community, random.Uint64())
		before := modularity(net, community, m.expected)
		for range 3 {
			for from := 0; from < n; from += m.batch {
				m.gained = 0
				moved, err := m.step(context.Background(), m.order[from:min(from+m.batch, n)])
				after := modularity(net, community, m.expected)
				if err != nil || moved != (m.gained > 0) || math.Abs(after-before-m.gained) > 1e-12 {
					t.Fatalf("from %v to %v, but gained %v, moved %v, %v", before, after, m.gained, moved, err)
				}
				before = after
			}
		}
	}
}

// Two vertices would each gain by joining a third, but not both: of a batch that has both, one does.
func TestMoving_WhatHasBecomeALossIsNotDone(t *testing.T) {
	net := &network{lists: newLists(3, 4), strength: []int64{2, 1, 1}, total: 4}
	copy(net.neighbors, []uint32{1, 2, 0, 0}) // 1 – 0 – 2
	copy(net.weights, []int64{1, 1, 1, 1})
	copy(net.starts, []uint64{0, 2, 3})
	copy(net.ends, []uint64{2, 3, 4})
	m := testRun(3, 1, 2, 1.6).newMoving(net, []uint32{0, 1, 2}, 1)
	moved, err := m.step(t.Context(), []uint32{1, 2})
	if c := m.community; err != nil || !moved || c[0] != 0 || c[1] != 0 || c[2] != 2 {
		t.Errorf("communities %v, moved %v, %v; expected that 1 joins 0, and 2 does not", c, moved, err)
	}
}

// A vertex joins no part that is badly connected to the rest of its community, whatever it would gain.
func TestRefinement_JoinsWellConnectedParts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	net := testNetwork(random, 2, 50)
	r := testRun(2, 1, 0, 0.5)
	r.base = net
	for _, outside := range []int64{0, net.strength[1]} {
		f := &refinement{run: r, net: net, expected: net.expected(r.resolution), community: make([]uint32, 2),
			part: []uint32{0, 1}, strength: net.strength, outside: []int64{net.strength[0], outside}, size: []uint32{1, 1},
			communityStrengths: []int64{net.total}}
		f.strength = append([]int64(nil), net.strength...)
		f.join(r.tallies[0], 0)
		if joined := f.part[0] == 1; joined != (outside > 0) {
			t.Errorf("%v: it has joined a part with the weight %d outside", joined, outside)
		}
	}
}

// What nothing within a community connects becomes communities of its own.
func TestLeiden_TakesApartWhatIsNotConnected(t *testing.T) {
	net := &network{lists: newLists(5, 8)}
	for v, list := range [][]uint32{{1, 2}, {0}, {0, 3}, {2}, {}} { // 1 – 0 – 2 – 3, and 4
		net.starts[v], net.ends[v] = uint64(2*v), uint64(2*v+len(list))
		if len(list) > 0 {
			copy(net.neighbors[2*v:], list)
		}
	}
	r := testRun(5, 1, 0, 1)
	r.base, r.node = net, make([]uint32, 5)
	community := []uint32{0, 1, 1, 1, 1}
	leiden{run: r}.connect(community)
	if c := community; c[0] == c[1] || c[1] == c[2] || c[2] != c[3] || c[4] == c[1] || c[4] == c[2] {
		t.Errorf("communities %v", c)
	}
}
