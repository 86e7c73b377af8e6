package communities

import (
	"context"
	"math"
	"math/rand/v2"
)

const refinementBytes = 4 + 8 + 8 + 4 + 4 + 8

// refinement takes communities apart into single vertices, and has those join parts that are well connected to the
// rest. Communities have nothing to do with each other, and each is one worker's.
type refinement struct {
	*run
	net                *network
	expected           float64
	perUnit            float64 // what a gain is to be multiplied with, for a probability
	community, part    []uint32
	strength, outside  []int64 // of each part: of its vertices, and the weight between it and the rest of its community
	size               []uint32
	communityStrengths []int64
	seed               uint64
}

// refine returns the part of each vertex: a number of one of its vertices.
func (l leiden) refine(ctx context.Context, net *network, community []uint32, count int,
	seed uint64) ([]uint32, error) {
	n := net.vertices()
	f := &refinement{run: l.run, net: net, expected: net.expected(l.resolution), community: community,
		part: make([]uint32, n), strength: make([]int64, n), outside: make([]int64, n), size: make([]uint32, n),
		communityStrengths: make([]int64, count), seed: mix(seed, l.seed)}
	f.perUnit = float64(max(csrEntries(l.base), 1)) / (float64(max(l.base.total, 1)) * l.theta)
	for v, c := range community {
		f.part[v], f.strength[v], f.size[v] = uint32(v), net.strength[v], 1
		f.communityStrengths[c] += net.strength[v]
	}
	g := grouped(community, count)
	return f.part, l.Pool.Run(ctx, count, func(worker, c int) {
		if members := g.of(c); len(members) > 1 {
			f.within(f.tallies[worker], members)
		}
	})
}

// csrEntries is how many neighbors the lists have.
func csrEntries(net *network) (sum uint64) {
	for v, end := range net.ends {
		sum += end - net.starts[v]
	}
	return sum
}

// within refines a community, whose members it takes in random order.
func (f *refinement) within(t *tally, members []uint32) {
	for _, v := range members {
		neighbors, weights := f.net.of(v)
		for i, u := range neighbors {
			if f.community[u] == f.community[v] {
				f.outside[v] += weights[i]
			}
		}
	}
	random := rand.New(rand.NewPCG(f.seed, uint64(members[0])))
	random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	for _, v := range members {
		if f.part[v] == v && f.size[v] == 1 && f.connected(v) {
			f.join(t, v)
		}
	}
}

// connected tells whether a part has as much to do with the rest of its community as chance would have it.
func (f *refinement) connected(part uint32) bool {
	strength := f.strength[part]
	rest := f.communityStrengths[f.community[part]] - strength
	return float64(f.outside[part]) >= f.expected*float64(strength)*float64(rest)
}

// join has v, which is alone, join a part. Which one is drawn: that where gain/θ, and what a hash has for chance
// (Gumbel's distribution), come to most; so the order of neighbors is of no concern.
func (f *refinement) join(t *tally, v uint32) {
	neighbors, weights := f.net.of(v)
	for i, u := range neighbors {
		if f.community[u] == f.community[v] {
			t.add(f.part[u], weights[i])
		}
	}
	best, most := none, math.Inf(-1)
	for _, p := range t.met {
		gain := float64(t.weights[p]) - f.expected*float64(f.strength[v])*float64(f.strength[p])
		if gain < 0 || !f.connected(p) {
			continue
		}
		chance := mix(mix(uint64(v)<<32|uint64(p), f.seed), 0)
		gumbel := -math.Log(-math.Log((float64(chance>>11) + 0.5) / (1 << 53)))
		if x := gain*f.perUnit + gumbel; x > most || x == most && p < best {
			best, most = p, x
		}
	}
	if best != none {
		f.part[v] = best
		f.outside[best] += f.outside[v] - 2*t.weights[best]
		f.strength[best] += f.strength[v]
		f.size[best]++
	}
	t.clear()
}
