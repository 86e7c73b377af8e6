package mega

import (
	"fmt"
	"slices"
)

// Cut says which partition an edge is in.
type Cut string

const (
	// Bipartite cuts by left vertices, in the order of storage, so that only right ones are mirrored: the left side is the
	// favored one (Chen, Shi, Zang, Guan: Bipartite-oriented Distributed Graph Partitioning for Big Learning, APSys'14).
	// It has fewest mirrors where left vertices are more, or have fewer edges.
	Bipartite Cut = "bipartite"
	// BipartiteRight cuts by right vertices likewise, so that only left ones are mirrored: the right side is the favored
	// one.
	BipartiteRight Cut = "bipartite-right"
	// Hybrid puts the edges of a right vertex that has at most HybridDegree together, by a hash of it, and divides those
	// of others by a hash of their left vertices (Chen, Shi, Chen, Chen: PowerLyra, EuroSys'15, section 4). Both sides are
	// mirrored.
	Hybrid Cut = "hybrid"
	// Random puts an edge anywhere, by a hash of its ends. Both sides are mirrored.
	Random Cut = "random"
)

// Cuts are all of them.
func Cuts() []Cut { return []Cut{Bipartite, BipartiteRight, Hybrid, Random} }

// HybridDegree is up to how many edges a right vertex has few.
const HybridDegree = 100

// Splits says whether edges of one left vertex may be in several partitions.
func (c Cut) Splits() bool { return c == BipartiteRight || c == Hybrid || c == Random }

func (c Cut) check() (what, do string) {
	if c != "" && !slices.Contains(Cuts(), c) {
		return fmt.Sprintf("a partition %q", string(c)), fmt.Sprintf("give one of %v", Cuts())
	}
	return "", ""
}

// placing says in which partition an edge of a graph is, by a cut that splits.
func placing[E any](g *Graph[E], c Cut, parts int) func(u int, v uint32) int {
	degree := make([]uint32, g.Rights)
	for _, v := range g.Targets {
		degree[v]++
	}
	if c == BipartiteRight {
		part := ranges(degree, len(g.Targets), parts)
		return func(_ int, v uint32) int { return int(part[v]) }
	}
	return func(u int, v uint32) int {
		by := uint64(v)
		switch {
		case c == Random:
			by = mix(uint64(u)) ^ by
		case degree[v] > HybridDegree:
			by = ^uint64(u)
		}
		return int(mix(by) % uint64(parts))
	}
}

// ranges parts vertices in their order, so that all parts have about as many of their edges, and says which has each.
func ranges(degree []uint32, edges, parts int) []uint16 {
	part, before := make([]uint16, len(degree)), 0
	for v, n := range degree {
		middle := 2*before + int(n)
		part[v] = uint16(min(middle*parts/max(2*edges, 1), parts-1))
		before += int(n)
	}
	return part
}

// mix is a step of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// scatter cuts a graph by its edges. It copies these: partition by partition, else in the order of the graph.
func scatter[E any](g *Graph[E], c Cut, parts int) []*partition[E] {
	place := placing(g, c, parts)
	each := func(do func(part, u int, edge int64)) {
		for u := range g.Lefts() {
			for i := g.Offsets[u]; i < g.Offsets[u+1]; i++ {
				do(place(u, g.Targets[i]), u, i)
			}
		}
	}
	all, sizes, at := make([]*partition[E], parts), make([]int64, parts), int64(0)
	each(func(part, _ int, _ int64) { sizes[part]++ })
	targets, edges := make([]uint32, len(g.Targets)), make([]E, len(g.Edges))
	for k, size := range sizes {
		all[k] = &partition[E]{lefts: []uint32{}, targets: targets, edges: edges, from: at, to: at, sets: g.Sets}
		at += size
	}
	each(func(part, u int, edge int64) {
		p := all[part]
		if n := len(p.lefts); n == 0 || p.lefts[n-1] != uint32(u) {
			p.lefts, p.offsets = append(p.lefts, uint32(u)), append(p.offsets, p.to)
		}
		targets[p.to], edges[p.to] = g.Targets[edge], g.Edges[edge]
		p.to++
	})
	for _, p := range all {
		p.offsets = append(p.offsets, p.to)
	}
	return all
}
