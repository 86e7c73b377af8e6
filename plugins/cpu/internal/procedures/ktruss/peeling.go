package ktruss

import "github.com/penstock-db/penstock/plugins/cpu/internal/neighbors"

// peeling has edges in the order of how many triangles are left of them. (Batagelj and Zaveršnik 2003, for cores.)
type peeling struct {
	*neighbors.Network
	support []int32  // of each edge: triangles whose edges are left; of those removed, what they had then
	order   []uint32 // edges, by support
	at      []uint32 // of each edge, where it is in order
	first   []uint32 // of each number of triangles: where edges of that support begin
	done    uint32   // edges removed
}

func newPeeling(n *neighbors.Network, vertices int) *peeling {
	m := len(n.Ends)
	return &peeling{Network: n, support: make([]int32, m), order: make([]uint32, m), at: make([]uint32, m),
		first: make([]uint32, vertices+1)}
}

// count counts the triangles of each edge whose lower end is v.
func (p *peeling) count(v uint32) {
	neighbors, edges := p.Of(v)
	for i, u := range neighbors {
		if u > v {
			p.Triangles(edges[i], func(uint32, uint32) { p.support[edges[i]]++ })
		}
	}
}

// sort counts edges of each support, and puts them in order.
func (p *peeling) sort() {
	for _, s := range p.support {
		p.first[s+1]++
	}
	for s := range len(p.first) - 1 {
		p.first[s+1] += p.first[s]
	}
	for e, s := range p.support {
		p.at[e], p.order[p.first[s]] = p.first[s], uint32(e)
		p.first[s]++
	}
	copy(p.first[1:], p.first) // where one ended the next begins
	p.first[0] = 0
}

// remove takes the next edge away, and a triangle from each edge that it had one with.
func (p *peeling) remove(e uint32) {
	p.done++
	p.Triangles(e, func(a, b uint32) {
		if p.at[a] < p.done || p.at[b] < p.done {
			return // the triangle has gone before
		}
		p.lose(a)
		p.lose(b)
	})
}

// lose moves an edge to those of one triangle less.
func (p *peeling) lose(e uint32) {
	s := p.support[e]
	to := max(p.first[s], p.done)
	other := p.order[to]
	p.order[p.at[e]], p.at[other] = other, p.at[e]
	p.order[to], p.at[e] = e, to
	p.first[s] = to + 1
	p.support[e]--
}
