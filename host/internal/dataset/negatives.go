package dataset

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Negatives draws pairs of vertices that are no edges: the source among those that have an edge to somewhere, the
// target among those that have one from somewhere, so that in a graph of users and items nobody asks for two users.
type Negatives struct {
	known            []Pair // sorted: what is never drawn
	sources, targets []uint32
	directed         bool
	none             bool // no pair can be drawn
}

// NoNegativesError is a graph in which no two vertices, or hardly any, are without an edge, of those that edges lead
// from and to.
type NoNegativesError struct {
	Sources, Targets int // how many vertices edges lead from, and to; where they have no direction, both
	Directed         bool
	Tried            int // 0: there is no pair without an edge
}

func (e *NoNegativesError) Error() string {
	ends := fmt.Sprintf("one of %d vertices that edges lead from and one of %d that they lead to", e.Sources, e.Targets)
	if !e.Directed {
		ends = fmt.Sprintf("two of %d vertices that have edges", e.Sources)
	}
	if e.Tried == 0 {
		return fmt.Sprintf("every pair without an edge would be %s, and all of these have one: there is nothing to tell links "+
			"from", ends)
	}
	return fmt.Sprintf("%d pairs were drawn, %s, and all have an edge: there is hardly anything to tell links from", e.Tried,
		ends)
}

// NewNegatives makes ready to draw what is not among known edges, sorted, in a graph whose edges all are. All known are
// among them.
func NewNegatives(known, all []Pair, directed bool) *Negatives {
	n := &Negatives{known: known, directed: directed}
	for _, p := range all {
		if len(n.sources) == 0 || n.sources[len(n.sources)-1] != p.Source {
			n.sources = append(n.sources, p.Source)
		}
		n.targets = append(n.targets, p.Target)
	}
	if !directed {
		n.targets = append(n.targets, n.sources...)
	}
	slices.Sort(n.targets)
	if n.targets = slices.Compact(n.targets); !directed {
		n.sources = n.targets
	}
	n.none = n.pairs() == n.joined()
	return n
}

// pairs is how many pairs of two vertices there are to draw from.
func (n *Negatives) pairs() int {
	if !n.directed {
		return len(n.sources) * (len(n.sources) - 1) / 2
	}
	both := 0
	for _, v := range n.sources {
		if _, found := slices.BinarySearch(n.targets, v); found {
			both++
		}
	}
	return len(n.sources)*len(n.targets) - both
}

// joined is how many of them have an edge.
func (n *Negatives) joined() (count int) {
	for i, p := range n.known {
		if p.Source != p.Target && (i == 0 || p != n.known[i-1]) {
			count++
		}
	}
	return count
}

// mostTries bounds how often a pair is drawn that is an edge, before it is said that there are hardly others.
const mostTries = 10_000

// Draw appends so many pairs.
//
// Errors: *NoNegativesError.
func (n *Negatives) Draw(count int, r *rand.Rand, to []Pair) ([]Pair, error) {
	if count > 0 && n.none {
		return to, &NoNegativesError{len(n.sources), len(n.targets), n.directed, 0}
	}
	for range count {
		tries := 0
		for ; tries < mostTries; tries++ {
			p := PairOf(n.sources[r.IntN(len(n.sources))], n.targets[r.IntN(len(n.targets))], n.directed)
			if p.Source != p.Target && !n.isKnown(p) {
				to = append(to, p)
				break
			}
		}
		if tries == mostTries {
			return to, &NoNegativesError{len(n.sources), len(n.targets), n.directed, tries}
		}
	}
	return to, nil
}

func (n *Negatives) isKnown(p Pair) bool {
	_, found := slices.BinarySearchFunc(n.known, p, func(a, b Pair) int { return cmp.Compare(a.key(), b.key()) })
	return found
}
