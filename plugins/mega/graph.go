package mega

import "fmt"

// Graph is a bipartite graph: of the edges of left vertex u, Targets and Edges have those from Offsets[u] to
// Offsets[u+1].
type Graph[E any] struct {
	Rights  int
	Offsets []int64
	Targets []uint32
	Edges   []E
	Sets    []uint8 // which set each left vertex is of, for stages that scan one alone (ExchangeOf); nil: all are of set 0
}

// Lefts is how many left vertices there are.
func (g *Graph[E]) Lefts() int { return len(g.Offsets) - 1 }

// Error is a program, a graph or an option that does not do.
type Error struct {
	Program string
	What    string
	Do      string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s: %s", e.Program, e.What, e.Do) }

func (g *Graph[E]) check(program string) error {
	bad := func(do, what string, args ...any) error {
		return &Error{program, fmt.Sprintf(what, args...), do}
	}
	switch {
	case g.Lefts() < 1 || g.Rights < 1:
		return bad("it needs vertices on both sides", "the graph has %d left and %d right vertices", max(g.Lefts(), 0),
			g.Rights)
	case len(g.Targets) == 0:
		return bad("it needs edges from left to right", "the graph has no edges")
	case len(g.Targets) != len(g.Edges):
		return bad("give each edge one value", "there are %d targets and %d values of edges", len(g.Targets), len(g.Edges))
	case g.Sets != nil && len(g.Sets) != g.Lefts():
		return bad("give each left vertex one set, or none", "there are %d left vertices and %d sets of them", g.Lefts(),
			len(g.Sets))
	case g.Offsets[0] != 0 || g.Offsets[g.Lefts()] != int64(len(g.Targets)):
		return bad("they begin at 0 and end at the number of edges", "offsets run from %d to %d for %d edges", g.Offsets[0],
			g.Offsets[g.Lefts()], len(g.Targets))
	}
	for u := range g.Lefts() {
		if g.Offsets[u] > g.Offsets[u+1] {
			return bad("offsets must not descend", "left vertex %d begins at %d and ends at %d", u, g.Offsets[u],
				g.Offsets[u+1])
		}
	}
	for i, v := range g.Targets {
		if int(v) >= g.Rights {
			return bad("number the right side from 0", "edge %d leads to vertex %d of %d", i, v, g.Rights)
		}
	}
	return nil
}
