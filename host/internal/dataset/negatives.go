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
}

// NoNegativesError is a graph in which hardly any two vertices are without an edge.
type NoNegativesError struct{ Tried int }

func (e *NoNegativesError) Error() string {
	return fmt.Sprintf("the graph is so dense that %d pairs of vertices were drawn, and all are edges: there is nothing "+
		"to tell links from", e.Tried)
}

// NewNegatives makes ready to draw what is not among known edges, sorted, in a graph whose edges all are.
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
	return n
}

// mostTries bounds how often a pair is drawn that is an edge, before the graph is called too dense.
const mostTries = 10_000

// Draw appends so many pairs.
//
// Errors: *NoNegativesError.
func (n *Negatives) Draw(count int, r *rand.Rand, to []Pair) ([]Pair, error) {
	if count > 0 && len(n.sources) == 0 {
		return to, &NoNegativesError{}
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
			return to, &NoNegativesError{tries}
		}
	}
	return to, nil
}

func (n *Negatives) isKnown(p Pair) bool {
	_, found := slices.BinarySearchFunc(n.known, p, func(a, b Pair) int { return cmp.Compare(a.key(), b.key()) })
	return found
}
