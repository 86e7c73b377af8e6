package communities

import (
	"context"
	"math"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/cpu/internal/csr"
	"github.com/penstock-db/penstock/plugins/cpu/internal/procedures"
)

// told is where communities go: of each vertex its name and its share of the modularity, for each of so many levels.
type told struct {
	names  []int64
	shares []float64
	each   int
}

// most is how many levels there may be.
func (r *run) most() int64 {
	if levels, bounded := r.Args.Ints["levels"]; bounded {
		return levels
	}
	return math.MaxInt64
}

func (r *run) full() bool { return int64(r.ran) >= r.most() }

// level counts one, with the communities that vertices are in after it.
func (r *run) level(ctx context.Context, community []uint32) error {
	r.ran++
	return r.again(ctx, community)
}

// again tells anew of the last level that was counted.
func (r *run) again(ctx context.Context, community []uint32) error {
	if r.levels.each == 0 || r.ran == 0 {
		return nil
	}
	return r.tell(ctx, community, r.levels, r.ran-1, procedures.Progress{Tell: func(float64) {}})
}

// end tells of the communities that there are in the end, and of the levels that there are not.
func (r *run) end(ctx context.Context, community []uint32, part procedures.Progress) error {
	for v := range r.N {
		for level := r.ran; level < r.levels.each; level++ {
			at := v*r.levels.each + level
			r.levels.names[at], r.levels.shares[at] = algorithms.Unreached, math.NaN()
		}
	}
	return r.tell(ctx, community, r.community, 0, part)
}

// tell writes what communities are called, and the share of each vertex of their modularity.
func (r *run) tell(ctx context.Context, community []uint32, to told, level int, part procedures.Progress) error {
	names, strengths := r.naming.names(r.ids, community), make([]int64, r.N)
	for v, c := range community {
		strengths[c] += r.base.strength[v]
	}
	expected, total := r.base.expected(r.resolution), float64(max(r.base.total, 1))
	return r.Groups(ctx, nil, part, func(_, from, until int, _ []*csr.Chunk) {
		for v := from; v < until; v++ {
			own := community[v]
			within, strength := r.base.strength[v], r.base.strength[v]
			neighbors, weights := r.base.of(uint32(v))
			for i, u := range neighbors {
				if community[u] != own {
					within -= weights[i]
				}
			}
			at := v*to.each + level
			to.names[at] = names[own]
			to.shares[at] = (float64(within) - expected*float64(strength)*float64(strengths[own])) / total
		}
	})
}
