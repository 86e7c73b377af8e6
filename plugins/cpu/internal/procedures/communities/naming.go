package communities

import (
	"cmp"
	"slices"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/community"
)

// naming knows what vertices begin with: where seeds put some together, and what communities are called by them.
type naming struct {
	labels []int64  // of vertices; with seeds by rank, ascending
	rank   []uint32 // of the label of each vertex; nil: there are no seeds, and labels are ids
}

// namingBytes is what seeds take of a vertex: labels, while they are ranked and afterwards, and what names takes.
const namingBytes = 8 + 8 + 8 + 4 + 4 + 4 + 16 + 1

// newNaming fails where a seed is too large.
func newNaming(ids, seeds []int64) (*naming, error) {
	if seeds == nil {
		return &naming{labels: ids}, nil
	}
	first, err := community.FirstLabels(ids, seeds)
	if err != nil {
		return nil, err
	}
	order := make([]uint32, len(first))
	for v := range order {
		order[v] = uint32(v)
	}
	slices.SortFunc(order, func(v, u uint32) int { return cmp.Compare(first[v], first[u]) })
	n := &naming{rank: make([]uint32, len(first))}
	for _, v := range order {
		if last := len(n.labels) - 1; last < 0 || n.labels[last] != first[v] {
			n.labels = append(n.labels, first[v])
		}
		n.rank[v] = uint32(len(n.labels) - 1)
	}
	return n, nil
}

// begin puts vertices into the communities that they begin in.
func (n *naming) begin(community []uint32) {
	for v := range community {
		community[v] = uint32(v)
	}
	copy(community, n.rank)
}

// names are those of communities with numbers below that of vertices.
func (n *naming) names(ids []int64, community []uint32) []int64 {
	least := make([]int64, len(community))
	for c := range least {
		least[c] = algorithms.Unreached
	}
	for v, c := range community {
		least[c] = min(least[c], ids[v])
	}
	if n.rank == nil {
		return least
	}
	return n.claimed(least, community)
}

// claim is of how many members of a community a label is.
type claim struct{ community, rank, members uint32 }

// claimed has the communities with most members of a label take it first. Least are their smallest ids.
func (n *naming) claimed(least []int64, number []uint32) []int64 {
	order := make([]uint32, len(number))
	for v := range order {
		order[v] = uint32(v)
	}
	slices.SortFunc(order, func(v, u uint32) int {
		return cmp.Or(cmp.Compare(number[v], number[u]), cmp.Compare(n.rank[v], n.rank[u]))
	})
	var claims []claim
	for _, v := range order {
		last := len(claims) - 1
		if last < 0 || claims[last].community != number[v] || claims[last].rank != n.rank[v] {
			claims = append(claims, claim{number[v], n.rank[v], 0})
			last++
		}
		claims[last].members++
	}
	slices.SortFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(b.members, a.members), cmp.Compare(a.rank, b.rank),
			cmp.Compare(least[a.community], least[b.community]))
	})
	names, taken := slices.Repeat([]int64{community.NoSeed}, len(number)), make([]bool, len(n.labels))
	for _, one := range claims {
		if names[one.community] == community.NoSeed && !taken[one.rank] {
			names[one.community], taken[one.rank] = n.labels[one.rank], true
		}
	}
	n.number(names, least)
	return names
}

// number gives communities without a label numbers above all labels, from 0 where these are negative, in the order of
// their smallest ids.
func (n *naming) number(names, least []int64) {
	var unnamed []uint32
	for c, name := range names {
		if name == community.NoSeed && least[c] != algorithms.Unreached {
			unnamed = append(unnamed, uint32(c))
		}
	}
	slices.SortFunc(unnamed, func(c, d uint32) int { return cmp.Compare(least[c], least[d]) })
	for i, c := range unnamed {
		names[c] = max(0, n.labels[len(n.labels)-1]+1) + int64(i)
	}
}
