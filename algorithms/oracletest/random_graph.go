// Package oracletest makes what a device is tested with: random graphs that have the
// awkward things in them, arguments for every algorithm of the catalog, and expressions.
//
//	rng ──RandomGraph──▶ Graph ──Arguments──▶ Args ──▶ Oracle, Verify, device
package oracletest

import (
	"math/rand/v2"

	"github.com/penstock-db/penstock/algorithms"
)

// Config says what a random graph may look like.
type Config struct {
	MaxVertices int // at least 1; 0: 24
	Directed    bool
	Acyclic     bool // edges lead from lower to higher positions; no loops. Only of directed graphs.
	Simple      bool // neither loops nor parallel edges
	// Unweighted graphs have no edge property. Else `weight` is what Weight draws; nil: it lies in (0,1], in sixteenths
	// so that short sums of it are exact.
	Unweighted bool
	Weight     func(*rand.Rand) float64
}

// RandomGraph makes a graph of 1 to MaxVertices vertices, of any density, with ids that are
// neither contiguous nor sorted, and vertices without edges. Unless Simple or Acyclic
// forbid them, it has loops and parallel edges. It has the properties of WithProperties.
func RandomGraph(rng *rand.Rand, c Config) *algorithms.Graph {
	if c.MaxVertices == 0 {
		c.MaxVertices = 24
	}
	if c.Weight == nil {
		c.Weight = func(rng *rand.Rand) float64 { return float64(1+rng.IntN(16)) / 16 }
	}
	n := 1 + rng.IntN(c.MaxVertices)
	var edges []algorithms.Edge
	seen := map[[2]uint32]bool{}
	pick := picker(rng, n)
	for range rng.IntN(1 + 3*n) {
		e := algorithms.Edge{Src: pick(), Dst: pick()}
		low, high := min(e.Src, e.Dst), max(e.Src, e.Dst)
		if c.Acyclic {
			e.Src, e.Dst = low, high
		}
		pair := [2]uint32{e.Src, e.Dst}
		if !c.Directed {
			pair = [2]uint32{low, high}
		}
		if low == high && (c.Simple || c.Acyclic) || c.Simple && seen[pair] {
			continue
		}
		seen[pair] = true
		if !c.Unweighted {
			e.Weights = map[string]float64{"weight": c.Weight(rng)}
		}
		edges = append(edges, e)
	}
	return WithProperties(algorithms.NewGraph(c.Directed, randomIDs(rng, n), edges))
}

// picker picks among some of n vertices; the others stay without edges.
func picker(rng *rand.Rand, n int) func() uint32 {
	joined := rng.Perm(n)[:1+rng.IntN(n)]
	return func() uint32 { return uint32(joined[rng.IntN(len(joined))]) }
}

// randomIDs are n different ids in no order, some of them large.
func randomIDs(rng *rand.Rand, n int) []int64 {
	ids := make([]int64, 0, n)
	seen := map[int64]bool{}
	for len(ids) < n {
		id := rng.Int64N(int64(4 * n))
		if rng.IntN(8) == 0 {
			id = rng.Int64()
		}
		if !seen[id] && id != algorithms.Unreached {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}
