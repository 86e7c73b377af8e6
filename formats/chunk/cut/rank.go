package cut

import (
	"math/bits"
	"sort"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Rank numbers the vertices of a set: each has as its rank how many members are below it. It takes 12 bytes for 64
// vertices of the graph.
type Rank struct {
	members []uint64
	before  []uint32 // members in earlier words
	count   uint64
}

// NewRank is that of the empty set, of so many vertices.
func NewRank(vertices uint64) *Rank {
	words := (vertices + 63) / 64
	return &Rank{members: make([]uint64, words), before: make([]uint32, words)}
}

// Reset has the set be all that lists lead to.
func (r *Rank) Reset(lists []Selection) {
	clear(r.members)
	for _, s := range lists {
		all, base := s.chunk.Neighbors(), s.meta.Cols.Base
		for _, l := range s.lists {
			for _, u := range all[l.from:l.to] {
				v := base + uint64(u)
				r.members[v/64] |= 1 << (v % 64)
			}
		}
	}
	r.count = 0
	for i, word := range r.members {
		r.before[i] = uint32(r.count)
		r.count += uint64(bits.OnesCount64(word))
	}
}

// Count is how many members there are.
func (r *Rank) Count() uint64 { return r.count }

// Of is the rank of a vertex.
func (r *Rank) Of(v uint64) uint64 {
	return uint64(r.before[v/64]) + uint64(bits.OnesCount64(r.members[v/64]&(1<<(v%64)-1)))
}

// Vertex is the member of a rank below Count.
func (r *Rank) Vertex(rank uint64) uint64 {
	i := sort.Search(len(r.before), func(i int) bool { return uint64(r.before[i]) > rank }) - 1
	word := r.members[i]
	for range rank - uint64(r.before[i]) {
		word &= word - 1
	}
	return 64*uint64(i) + uint64(bits.TrailingZeros64(word))
}

// Within visits the members in an interval, in order.
func (r *Rank) Within(i chunk.Interval, visit func(v uint64)) { members(r.members, i, visit) }
