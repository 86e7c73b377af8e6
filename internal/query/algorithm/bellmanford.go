package algorithm

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// routes are the cheapest routes from a node to all nodes that some lead to, or cycles of negative weight: where there
// is one, no route after it is cheapest. Bellman, "On a routing problem", 1958, with a queue (Moore 1959). Cycles are
// looked for in what came before nodes, after as many changes as there are nodes (Cherkassky, Goldberg, "Negative-cycle
// detection algorithms", 1999).
type routes struct {
	*network
	costs  []float64  // by node; +Inf: no route leads to it
	before []uint32   // on the route to a node, or nowhere
	steps  []float64  // what the last step of the route costs
	looped []bool     // the node is on a cycle
	cycles [][]uint32 // no node is on two of them; each begins with its least node
}

const nowhere = math.MaxUint32

// routes finds them. All negative cycles that can be reached have a node of one that is told.
func (n *network) routes(ctx context.Context, source uint32) (*routes, error) {
	size := len(n.known)
	r := &routes{network: n, costs: slices.Repeat([]float64{math.Inf(1)}, size),
		before: slices.Repeat([]uint32{nowhere}, size), steps: make([]float64, size), looped: make([]bool, size)}
	r.costs[source] = 0
	waits, changes := make([]bool, size), 0
	for waiting, next := []uint32{source}, []uint32(nil); len(waiting) > 0; waiting, next = next, waiting[:0] {
		for i, at := range waiting {
			if i%(1<<12) == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			waits[at] = false
			for k := n.offsets[at]; k < n.offsets[at+1]; k++ {
				to := n.others[k]
				cost := r.costs[at] + n.weight(k)
				if r.looped[to] || cost >= r.costs[to] {
					continue
				}
				r.costs[to], r.before[to], r.steps[to] = cost, at, n.weight(k)
				changes++
				if !waits[to] {
					waits[to] = true
					next = append(next, to)
				}
			}
		}
		if changes >= size {
			changes = 0
			r.findCycles()
		}
	}
	r.findCycles() // rounding may have made one that nothing goes around
	slices.SortFunc(r.cycles, func(a, b []uint32) int { return cmp.Compare(a[0], b[0]) })
	return r, nil
}

// findCycles goes back from each node until it comes to the source, or to where it has been.
func (r *routes) findCycles() {
	walked := make([]uint32, len(r.before)) // by the walk from which node, plus 1
	for start := range r.before {
		walk, at := uint32(start)+1, uint32(start)
		for at != nowhere && walked[at] == 0 {
			walked[at] = walk
			at = r.before[at]
		}
		if at != nowhere && walked[at] == walk && !r.looped[at] {
			r.cycles = append(r.cycles, r.cycle(at))
		}
	}
}

// cycle is the one that a node is on. What came before its nodes stays so.
func (r *routes) cycle(node uint32) (nodes []uint32) {
	for at := node; !r.looped[at]; at = r.before[at] {
		r.looped[at] = true
		nodes = append(nodes, at)
	}
	slices.Reverse(nodes)
	first := slices.Index(nodes, slices.Min(nodes))
	return slices.Concat(nodes[first:], nodes[:first])
}

// each goes over the routes by the nodes that they lead to, or over the cycles, which end where they begin: over their
// nodes, and what each costs up to them. The slices are used again.
func (r *routes) each(yield func(nodes []uint64, costs []float64) error) error {
	var nodes []uint64
	var costs []float64
	add := func(node uint32, cost float64) { nodes, costs = append(nodes, uint64(node)), append(costs, cost) }
	for _, cycle := range r.cycles {
		cost := 0.0
		nodes, costs = nodes[:0], costs[:0]
		add(cycle[0], 0)
		for i := range cycle {
			node := cycle[(i+1)%len(cycle)]
			cost += r.steps[node]
			add(node, cost)
		}
		if err := yield(nodes, costs); err != nil {
			return err
		}
	}
	for target := range r.costs {
		if len(r.cycles) > 0 || math.IsInf(r.costs[target], 1) {
			continue
		}
		nodes, costs = nodes[:0], costs[:0]
		for at := uint32(target); at != nowhere; at = r.before[at] {
			add(at, r.costs[at])
		}
		slices.Reverse(nodes)
		slices.Reverse(costs)
		if err := yield(nodes, costs); err != nil {
			return err
		}
	}
	return nil
}
