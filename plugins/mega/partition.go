package mega

import "slices"

// partition is what one worker has: the left vertices from first to last, their edges, and a mirror of each right
// vertex that these lead to.
type partition[E any] struct {
	first, last int
	offsets     []int64 // of the graph
	targets     []uint32
	edges       []E
	from, to    int64    // of the graph's edges
	mirrors     []uint32 // right vertices, ascending
	most        int      // edges of the largest partition
	sets        []uint8  // of the graph
}

// divide cuts a graph into partitions of about as many edges. It puts the indices of mirrors in the place of the
// graph's targets, so that edges are there once.
func divide[E any](g *Graph[E], parts int) []*partition[E] {
	all := make([]*partition[E], parts)
	place := make([]uint32, g.Rights)
	first := 0
	for k := range all {
		p := &partition[E]{first: first, last: cut(g.Offsets, k+1, parts), offsets: g.Offsets, targets: g.Targets,
			edges: g.Edges, sets: g.Sets}
		first = p.last
		p.from, p.to = g.Offsets[p.first], g.Offsets[p.last]
		p.mirror(place)
		all[k] = p
	}
	most := 0
	for _, p := range all {
		most = max(most, int(p.to-p.from))
	}
	for _, p := range all {
		p.most = most
	}
	return all
}

// cut is the left vertex at which part k begins.
func cut(offsets []int64, k, parts int) int {
	lefts := len(offsets) - 1
	if k == parts {
		return lefts
	}
	at, _ := slices.BinarySearch(offsets, offsets[lefts]*int64(k)/int64(parts))
	return min(at, lefts)
}

// mirror numbers the right vertices of the partition.
func (p *partition[E]) mirror(place []uint32) {
	clear(place)
	targets := p.targets[p.from:p.to]
	for _, v := range targets {
		place[v] = 1
	}
	for v, is := range place {
		if is != 0 {
			place[v] = uint32(len(p.mirrors))
			p.mirrors = append(p.mirrors, uint32(v))
		}
	}
	if len(p.mirrors) == len(place) {
		return // they have their own numbers
	}
	for i, v := range targets {
		targets[i] = place[v]
	}
}

// owners says which partition has the master of each right vertex: the one with most edges to it.
func owners[E any](parts []*partition[E], rights int) []uint16 {
	owner := make([]uint16, rights)
	if len(parts) == 1 {
		return owner
	}
	most := make([]uint32, rights)
	for k, p := range parts {
		count := make([]uint32, len(p.mirrors))
		for _, m := range p.targets[p.from:p.to] {
			count[m]++
		}
		for m, v := range p.mirrors {
			if count[m] > most[v] {
				most[v], owner[v] = count[m], uint16(k)
			}
		}
	}
	return owner
}

// batch is batch b of so many: a range of edges. A batch is as many edges in every partition, or fewer.
func (p *partition[E]) batch(b, batches int) (from, to int64) {
	n := p.to - p.from
	return p.from + n*int64(b)/int64(batches), p.from + n*int64(b+1)/int64(batches)
}

// left is the left vertex that edge i belongs to.
func (p *partition[E]) left(i int64) int {
	at, _ := slices.BinarySearch(p.offsets[p.first:p.last+1], i+1)
	return p.first + at - 1
}
