package plan

import (
	"math"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/parse"
	"github.com/penstock-db/penstock/store"
)

// expressionOf parses an expression.
func expressionOf(t *testing.T, text string) ast.Expression {
	t.Helper()
	stmt, err := parse.Statement("RETURN " + text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return stmt.Query.Parts[0].Clauses[0].(*ast.ProjectClause).Items[0].Expression
}

// Whether a relationship can be of types of both lists, and whether those of one are all in the other.
func TestTypesOverlapAndCover(t *testing.T) {
	for _, c := range []struct {
		a, b           string
		overlap, cover bool // cover: each of a is of b
	}{
		{"", "", true, true}, {"R", "", true, true}, {"", "R", true, false}, {"R", "R", true, true}, {"R", "S", false, false},
		{"R S", "R", true, false}, {"R", "R S", true, true}, {"R S", "S T", true, false}, {"R S", "S T R", true, true},
	} {
		a, b := strings.Fields(c.a), strings.Fields(c.b)
		if overlap(a, b) != c.overlap || covered(a, b) != c.cover {
			t.Errorf("%q and %q: overlap %t, covered %t", c.a, c.b, overlap(a, b), covered(a, b))
		}
	}
}

// counts are statistics of 100 nodes with 1,000 relationships, 200 of them of type R, 10 nodes with label A.
type counts struct{ constraints []store.Constraint }

func (counts) Label(name string) (store.Token, bool) { return 1, name == "A" }
func (counts) Type(name string) (store.Token, bool)  { return 1, name == "R" }
func (counts) NodeCount() uint64                     { return 100 }
func (counts) RelationshipCount() uint64             { return 1000 }
func (counts) LabelCount(store.Token) uint64         { return 10 }
func (counts) TypeCount(store.Token) uint64          { return 200 }
func (counts) Indexes() []store.Index                { return nil }
func (c counts) Constraints() []store.Constraint     { return c.constraints }

func matchingOf(t *testing.T, pattern string, graph Statistics) *matching {
	t.Helper()
	stmt, err := parse.Statement("MATCH " + pattern + " RETURN 1")
	if err != nil {
		t.Fatalf("%s: %v", pattern, err)
	}
	m := newMatching(&planner{graph: graph}, stmt.Query.Parts[0].Clauses[0].(*ast.MatchClause), nil)
	m.op = m.argument()
	return m
}

// How many paths of a pattern begin at a node: the mean degree to the power of the length.
func TestFan(t *testing.T) {
	for pattern, want := range map[string]float64{
		"()-->()":             10,
		"()--()":              20,
		"()-[:R]->()":         2,
		"()-[:R]-()":          4,
		"()-[:NONE]->()":      0,
		"()-[:R|NONE]->()":    2,
		"()-[:R*2]->()":       4,
		"()-[:R*1..3]->()":    8,
		"()-[:R*0..1]->()":    2,
		"()-[:R*0..0]->()":    1,
		"()-[:NONE*0..2]->()": 1,
		"()-[:R*]->()":        16, // 1 to 1+3
		"()-[:R*2..]->()":     32, // 2 to 2+3
		"()-[:R*..9]->()":     16,
		"()-[:R*3..6]->()":    64, // the limit itself
		"()-[:R*3..7]->()":    64,
	} {
		m := matchingOf(t, pattern, counts{})
		if got := fan(m.graph, m.edges[0]); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v paths of each node, not %v", pattern, got, want)
		}
	}
}

// What an edge costs depends on which of its ends are there.
func TestCost(t *testing.T) {
	m := matchingOf(t, "(a)-[:R]->(b:A {x: 1})", counts{})
	e := m.edges[0]
	cost := func(solved ...*vertex) float64 {
		m.solved = map[int]bool{}
		for _, v := range solved {
			m.solved[v.slot] = true
		}
		return m.cost(e)
	}
	const fan, label, equality = 2, 0.1, 0.1
	for what, c := range map[string][2]float64{
		"no end": {cost(), math.Inf(1)},
		"from":   {cost(e.from), fan * label * equality},
		"to":     {cost(e.to), fan},
		"both":   {cost(e.from, e.to), fan / 100.0},
	} {
		if got, want := c[0], c[1]; got != want && math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %v, not %v", what, got, want)
		}
	}
	e.known = true
	if got := cost(e.from); got != 0 {
		t.Error("a relationship that is there costs ", got)
	}
	e.known, e.shortest = false, ast.ShortestPath
	if got := cost(e.from); !math.IsInf(got, 1) {
		t.Error("a shortest path from one end costs ", got)
	}
}

// The parts of rows that conditions keep.
func TestSelectivity(t *testing.T) {
	m := matchingOf(t, "(a)", counts{})
	for text, want := range map[string]float64{
		"a:A": 0.1, "a:None": 0, "a.x = 1": 0.1, "a.x IN [1]": 0.1, "a.x < 1": 0.3, "a.x <= 1": 0.3, "a.x > 1": 0.3,
		"a.x >= 1":      0.3,
		"a:A OR a:None": 0.1, "a:A OR a:A": 0.1, "a:None OR a:None": 0.5, "a:A OR a.x": 0.5,
		"a.x STARTS WITH 'a'": 0.3, "a.x ENDS WITH 'a'": 0.5, "a.x <> 1": 0.5, "NOT a.x": 0.5, "a.x = 1 OR a.y = 2": 0.5,
	} {
		if got := selectivity(m.graph, expressionOf(t, text)); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s keeps %v of the rows, not %v", text, got, want)
		}
	}
	if got := selectivity(m.graph, &HasProperties{}); got != 0.1 {
		t.Error("all of a map keep ", got)
	}
}

// Which of two ways to find nodes is better: one node at most, else a lookup among few, else fewer rows.
func TestBeats(t *testing.T) {
	one := access{rows: 5, single: true, seeks: true}
	for _, c := range []struct {
		better, worse access
	}{
		{one, access{rows: 0}}, {one, access{rows: 0, seeks: true}}, {access{rows: 4, single: true}, one},
		{access{rows: 1, seeks: true}, access{rows: 0}}, {access{rows: 0}, access{rows: 2, seeks: true}},
		{access{rows: 1.5}, access{rows: 2, seeks: true}}, {access{rows: 1}, access{rows: 2}},
		{access{rows: 0.5, seeks: true}, access{rows: 0.7, seeks: true}},
	} {
		if !c.better.beats(c.worse) || c.worse.beats(c.better) {
			t.Errorf("%+v does not beat %+v", c.better, c.worse)
		}
	}
	if one.beats(one) {
		t.Error("a way beats itself")
	}
}

// No two nodes have the same value in an index that a constraint of one key is about.
func TestUnique(t *testing.T) {
	on := store.Index{Label: "A", Key: "k"}
	for _, c := range []struct {
		constraint store.Constraint
		unique     bool
	}{
		{store.Constraint{Kind: store.Unique, Label: "A", Keys: []string{"k"}}, true},
		{store.Constraint{Kind: store.NodeKey, Label: "A", Keys: []string{"k"}}, true},
		{store.Constraint{Kind: store.Exists, Label: "A", Keys: []string{"k"}}, false},
		{store.Constraint{Kind: store.Unique, Label: "B", Keys: []string{"k"}}, false},
		{store.Constraint{Kind: store.Unique, Label: "A", Keys: []string{"l"}}, false},
		{store.Constraint{Kind: store.Unique, Label: "A", Keys: []string{"k", "l"}}, false},
		{store.Constraint{Kind: store.Unique, Label: "A", Keys: []string{"k"}, OnRelationship: true}, false},
	} {
		m := matchingOf(t, "(a)", counts{[]store.Constraint{c.constraint}})
		if unique(m.graph, on) != c.unique {
			t.Errorf("%+v: unique is %t", c.constraint, unique(m.graph, on))
		}
	}
	if m := matchingOf(t, "(a)", counts{}); unique(m.graph, on) || !unique(m.graph, store.Index{Key: "k"}) {
		t.Error("only the index of ids is unique by itself")
	}
}
