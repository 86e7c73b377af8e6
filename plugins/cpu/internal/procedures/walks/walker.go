package walks

import (
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/embedding"
	"github.com/penstock-db/penstock/algorithms/random"
)

// Walker goes along a network by chance. It may be used side by side.
type Walker struct {
	*Network
	rule  embedding.WalkRule
	first bool // nothing depends on where a walk was before
}

// NewWalker goes by the factors of arguments.
func NewWalker(n *Network, args algorithms.Args) *Walker {
	rule := embedding.NewWalkRule(args)
	return &Walker{n, rule, rule.First()}
}

// Walk appends a walk from v to one that is empty and has the capacity of a whole one.
func (w *Walker) Walk(walk []uint32, v uint32, draws random.Draws) []uint32 {
	for walk = append(walk, v); len(walk) < cap(walk) && w.Begins(v); walk = append(walk, v) {
		if len(walk) == 1 || w.first {
			v = w.draw(v, &draws)
		} else {
			v = w.next(walk[len(walk)-2], v, &draws)
		}
	}
	return walk
}

// next draws where to go from v, as the vertex before has it: by rejection (Yang et al. 2019, section 4).
func (w *Walker) next(before, v uint32, draws *random.Draws) uint32 {
	least, most := min(w.rule.Near, w.rule.Far), max(w.rule.Near, w.rule.Far)
	for range embedding.WalkTries {
		x := w.draw(v, draws)
		share := draws.Share()
		switch {
		case x == before:
			if share < w.rule.Return {
				return x
			}
		case share < least: // wherever x is
			return x
		case share < most && (w.rule.Near > w.rule.Far) == w.leads(before, x):
			return x
		}
	}
	return w.exactly(before, v, draws.Share())
}

// exactly is the edge from v up to which chances add up to more than this share of all.
func (w *Walker) exactly(before, v uint32, share float64) uint32 {
	from, to := w.starts[v], w.starts[v+1]
	all, sum := 0.0, 0.0
	for i := from; i < to; i++ {
		all += w.chance(before, from, i)
	}
	for i := from; i < to; i++ {
		if sum += w.chance(before, from, i); sum > share*all {
			return w.neighbors[i]
		}
	}
	return w.neighbors[to-1]
}

// chance is that of an entry of the list that begins at from.
func (w *Walker) chance(before uint32, from, i uint64) float64 {
	weight := 1.0
	if w.sums != nil {
		weight = w.sums[i]
		if i > from {
			weight -= w.sums[i-1]
		}
	}
	switch x := w.neighbors[i]; {
	case x == before:
		return weight * w.rule.Return
	case w.leads(before, x):
		return weight * w.rule.Near
	}
	return weight * w.rule.Far
}
