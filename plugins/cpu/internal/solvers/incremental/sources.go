package incremental

import (
	"context"
	"math/bits"

	"github.com/penstock-db/penstock/plugins/cpu/internal/parallel"
)

// groups are a set of groups of vertices.
type groups [groupCount / 64]uint64

const (
	groupCount  = 1024
	groupsBytes = groupCount / 8
)

func (g *groups) add(group int) { g[group/64] |= 1 << (group % 64) }

func (g *groups) meets(other *groups) bool {
	var both uint64
	for i := range g {
		both |= g[i] & other[i]
	}
	return both != 0
}

func (g *groups) count() (sum int) {
	for _, word := range g {
		sum += bits.OnesCount64(word)
	}
	return sum
}

// sampledEdges are looked at of a block in each chunk, to find whether it pulls from all over.
const sampledEdges = 256

// scattered tells whether more than a few blocks pull from so many groups that soon all would be at it.
func (s *sums) scattered() bool {
	far, shift, all := 0, s.groupBits(), s.group(s.p.N-1)+1
	for block, chunks := range s.cover {
		var set groups
		looked, from := 0, block*parallel.BlockVertices
		for _, r := range chunks {
			first, end := r.RowsWithin(from, from+s.verticesOf(block))
			list := r.Neighbors[r.Offsets[first]:r.Offsets[end]]
			list = list[:min(len(list), sampledEdges)]
			for _, u := range list {
				set.add(int((uint32(r.Cols.Base) + u) >> shift))
			}
			looked += len(list)
		}
		if set.count()*few > min(looked, all) {
			far++
		}
	}
	return far*few > len(s.cover)
}

// group is that of a vertex: as many blocks each as make few enough groups.
func (s *sums) group(v int) int { return v >> s.groupBits() }

func (s *sums) groupBits() int {
	blocks := (parallel.BlockCount(s.p.N) + groupCount - 1) / groupCount
	return bits.Len(uint(blocks-1)) + bits.Len(parallel.BlockVertices-1)
}

// findSources finds the groups that each block pulls from.
func (s *sums) findSources(ctx context.Context) error {
	shift := s.groupBits()
	return s.p.Pool.Blocks(ctx, s.p.N, func(_, block, from, to int) {
		var set groups
		for _, r := range s.cover[block] {
			first, end := r.RowsWithin(from, to)
			base := uint32(r.Cols.Base)
			for _, u := range r.Neighbors[r.Offsets[first]:r.Offsets[end]] {
				set.add(int((base + u) >> shift))
			}
		}
		s.sources[block] = set
	})
}
