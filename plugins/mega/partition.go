package mega

import "slices"

// partition is what one worker has: left vertices, numbered from 0, those of their edges that are its own, and a mirror
// of each right vertex that these lead to.
type partition[E any] struct {
	lefts    []uint32 // of the graph, ascending; nil: those from first on
	first    int
	offsets  []int64 // of each left vertex, and the end
	targets  []uint32
	edges    []E
	from, to int64    // of these edges
	mirrors  []uint32 // right vertices, ascending
	most     int      // edges of the largest partition
	sets     []uint8  // of the graph
}

// divide cuts a graph into partitions. It puts the indices of mirrors in the place of targets.
func divide[E any](g *Graph[E], c Cut, parts int) (all []*partition[E]) {
	if c.Splits() {
		all = scatter(g, c, parts)
	} else {
		all = slice(g, parts)
	}
	most, place := 0, make([]uint32, g.Rights)
	for _, p := range all {
		p.mirror(place)
		most = max(most, int(p.to-p.from))
	}
	for _, p := range all {
		p.most = most
	}
	return all
}

// slice cuts a graph by its left vertices, in their order, into partitions of about as many edges, which stay in place.
func slice[E any](g *Graph[E], parts int) []*partition[E] {
	all, first := make([]*partition[E], parts), 0
	for k := range all {
		last := cut(g.Offsets, k+1, parts)
		all[k] = &partition[E]{first: first, offsets: g.Offsets[first : last+1], targets: g.Targets, edges: g.Edges,
			from: g.Offsets[first], to: g.Offsets[last], sets: g.Sets}
		first = last
	}
	return all
}

// size is how many left vertices there are.
func (p *partition[E]) size() int { return len(p.offsets) - 1 }

// id is the number of a left vertex in the graph.
func (p *partition[E]) id(left int) int {
	if p.lefts == nil {
		return p.first + left
	}
	return int(p.lefts[left])
}

// scans says whether a left vertex is of a set.
func (p *partition[E]) scans(set, u int) bool {
	return set == every || p.sets == nil && set == 0 || p.sets != nil && int(p.sets[p.id(u)]) == set
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
		for m, n := range p.degrees() {
			if v := p.mirrors[m]; n > most[v] {
				most[v], owner[v] = n, uint16(k)
			}
		}
	}
	return owner
}

// leftOwners says which partition has the master of each left vertex, likewise.
func leftOwners[E any](parts []*partition[E], lefts int) []uint16 {
	owner, most := make([]uint16, lefts), make([]int64, lefts)
	for k, p := range parts {
		for l := range p.size() {
			if n, u := p.offsets[l+1]-p.offsets[l], p.id(l); n > most[u] {
				most[u], owner[u] = n, uint16(k)
			}
		}
	}
	return owner
}

// leftsOf are the left vertices of each partition, by a cut that splits.
func leftsOf[E any](parts []*partition[E]) (all [][]uint32) {
	for _, p := range parts {
		all = append(all, p.lefts)
	}
	return all
}

// mirrorsOf are the right vertices that each has mirrors of.
func mirrorsOf[E any](parts []*partition[E]) (all [][]uint32) {
	for _, p := range parts {
		all = append(all, p.mirrors)
	}
	return all
}

// sidesOf are what partitions have of vertices that have such owners, by the mirrors of each.
func sidesOf(mirrors [][]uint32, owner []uint16) []Side {
	sides, has := make([]Side, len(mirrors)), make([]bool, len(owner))
	for k, ids := range mirrors {
		sides[k].Mirrors = len(ids)
		for _, v := range ids {
			if !has[v] {
				has[v] = true
				sides[owner[v]].Masters++
			}
		}
	}
	return sides
}

// wholeSides are what partitions have of left vertices with edges, where each is in one of them.
func wholeSides[E any](parts []*partition[E]) []Side {
	sides := make([]Side, len(parts))
	for k, p := range parts {
		for l := range p.size() {
			if p.offsets[l] < p.offsets[l+1] {
				sides[k].add(Side{1, 1})
			}
		}
	}
	return sides
}

// batch is batch b of so many: a range of edges. A batch is as many edges in every partition, or fewer.
func (p *partition[E]) batch(b, batches int) (from, to int64) {
	n := p.to - p.from
	return p.from + n*int64(b)/int64(batches), p.from + n*int64(b+1)/int64(batches)
}

// left is the left vertex that edge i belongs to.
func (p *partition[E]) left(i int64) int {
	at, _ := slices.BinarySearch(p.offsets, i+1)
	return at - 1
}

// Where workers change mirrors of the same row and have not heard of each other, their changes overlap: each has gone
// towards what it takes to be best, and the sum of all goes too far. By how many, is known before a run from how many
// edges each has to the row: of a row that a clock changes once or twice it is hardly more than one, of one that
// all change all the time it is all.
//
//	edges n_k of worker k, batches b, slack s  ──▶  Σ_k min(1, n_k (s + 1) / b), at least 1

// unheard is of which share of an epoch's edges workers may not have heard from each other.
func (o Options) unheard(batches int) float64 {
	if o.Slack == Asynchronous {
		return 1
	}
	return min(1, float64(o.Slack+1)/float64(batches))
}

// overlap is that number by right vertex.
func overlap[E any](parts []*partition[E], rights int, unheard float64) []float32 {
	all := make([]float32, rights)
	for _, p := range parts {
		for m, n := range p.degrees() {
			all[p.mirrors[m]] += float32(min(1, float64(n)*unheard))
		}
	}
	return atLeastOne(all)
}

// Where a worker knows in each clock what it has changed itself, what it has not heard of are the changes of others,
// one in a clock for each that has an edge to the row in its batch:
//
//	Σ over other k of min(1, n_k / b) min(s + 1, b)

// unheardBy is it of each mirror of a partition.
func unheardBy[E any](parts []*partition[E], rights, batches int, share float64) (by [][]float64) {
	all := make([]float64, rights)
	for _, p := range parts {
		mine := make([]float64, len(p.mirrors))
		for i, n := range p.degrees() {
			mine[i] = share * min(float64(batches), float64(n))
			all[p.mirrors[i]] += mine[i]
		}
		by = append(by, mine)
	}
	for k, p := range parts {
		for i, v := range p.mirrors {
			by[k][i] = all[v] - by[k][i]
		}
	}
	return by
}

// degrees is how many edges lead to each mirror.
func (p *partition[E]) degrees() []uint32 {
	count := make([]uint32, len(p.mirrors))
	for _, m := range p.targets[p.from:p.to] {
		count[m]++
	}
	return count
}

// leftOverlap is it by left vertex, where a cut splits them.
func leftOverlap[E any](parts []*partition[E], lefts int, unheard float64) []float32 {
	all := make([]float32, lefts)
	for _, p := range parts {
		for l := range p.size() {
			all[p.id(l)] += float32(min(1, float64(p.offsets[l+1]-p.offsets[l])*unheard))
		}
	}
	return atLeastOne(all)
}

func atLeastOne(all []float32) []float32 {
	for v, x := range all {
		all[v] = max(1, x)
	}
	return all
}
