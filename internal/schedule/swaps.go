package schedule

import "math/rand/v2"

// sweepSteps bounds how many steps of a simulation a sweep takes: a few milliseconds.
const sweepSteps = 1 << 20

// improve swaps loads of the same group, at random, as long as that shortens the simulated
// time, until a sweep of tries no longer shortens it by a thousandth. Loads of a group stand
// together; order is what to begin with, and is left as it is. NeuGraph, section 3.3.
func (p Pipeline) improve(loads []Times, order []int, groups []int) []int {
	order = append([]int(nil), order...)
	random := rand.New(rand.NewPCG(uint64(len(order)), 0))
	best := p.Simulate(loads, order)
	for settled := len(order) < 2; !settled; {
		before := best
		for range min(len(order)*len(order), 1+sweepSteps/len(order)) {
			i := random.IntN(len(order))
			from, to := groupOf(groups, i)
			j := from + random.IntN(to-from)
			order[i], order[j] = order[j], order[i]
			if now := p.Simulate(loads, order); now < best {
				best = now
			} else {
				order[i], order[j] = order[j], order[i]
			}
		}
		settled = best >= before-before/1000
	}
	return order
}

// groupOf is the part [from, to) of an order that i may be swapped within.
func groupOf(groups []int, i int) (from, to int) {
	for from = i; from > 0 && groups[from-1] == groups[i]; from-- {
	}
	for to = i + 1; to < len(groups) && groups[to] == groups[i]; to++ {
	}
	return from, to
}
