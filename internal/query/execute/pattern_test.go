package execute_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// step is a relationship of a random pattern, from one of its nodes to another.
type step struct {
	from, to  int
	direction int // of the arrow: 1 from → to, -1 to → from, 0 either
	typ       string
	min, max  int  // of a path; max 0: a single relationship
	anonymous bool // it has no variable
}

// pattern is a random pattern: nodes by number, some with a label or property.
type pattern struct {
	labels []string
	xs     []int // < 0: any
	steps  []step
}

func randomPattern(rnd *rand.Rand) *pattern {
	p := &pattern{}
	nodes := 1 + rnd.IntN(4)
	for range nodes {
		p.labels = append(p.labels, pick(rnd, "", "", "A", "B"))
		p.xs = append(p.xs, rnd.IntN(9)-6)
	}
	for i := range nodes + 1 {
		if i == 0 && rnd.IntN(3) > 0 {
			continue
		}
		s := step{from: rnd.IntN(max(i, 1)), to: i, direction: rnd.IntN(3) - 1, typ: pick(rnd, "", "R", "S"),
			anonymous: rnd.IntN(3) > 0}
		if i == nodes { // a circle
			s.from, s.to = rnd.IntN(nodes), rnd.IntN(nodes)
		}
		if rnd.IntN(4) == 0 {
			s.min, s.max = rnd.IntN(2), 1+rnd.IntN(2)
		}
		p.steps = append(p.steps, s)
	}
	return p
}

// String is the pattern as MATCH has it: one path for each step and node.
func (p *pattern) String() string {
	var parts []string
	for i := range p.labels {
		parts = append(parts, p.node(i))
	}
	for i, s := range p.steps {
		inside := fmt.Sprintf("r%d", i)
		if s.anonymous {
			inside = ""
		}
		if s.typ != "" {
			inside += ":" + s.typ
		}
		if s.max > 0 {
			inside += fmt.Sprintf("*%d..%d", s.min, s.max)
		}
		left, right := "-", "-"
		switch s.direction {
		case 1:
			right = "->"
		case -1:
			left = "<-"
		}
		parts = append(parts, fmt.Sprintf("(n%d)%s[%s]%s(n%d)", s.from, left, inside, right, s.to))
	}
	return strings.Join(parts, ", ")
}

func (p *pattern) node(i int) string {
	text := fmt.Sprintf("(n%d", i)
	if p.labels[i] != "" {
		text += ":" + p.labels[i]
	}
	if p.xs[i] >= 0 {
		text += fmt.Sprintf(" {x: %d}", p.xs[i])
	}
	return text + ")"
}

// matches are all rows of the pattern, the numbers of its nodes, found by trying everything.
func (o *oracle) matches(p *pattern) []string {
	var rows []string
	nodes := make([]int, len(p.labels))
	var assign func(i int)
	assign = func(i int) {
		if i == len(nodes) {
			for range o.ways(p, nodes, 0, nil) {
				rows = append(rows, strings.ReplaceAll(fmt.Sprint(nodes), " ", ", "))
			}
			return
		}
		for v, n := range o.nodes {
			if (p.labels[i] == "" || p.labels[i] == n.label) && (p.xs[i] < 0 || p.xs[i] == n.x) {
				nodes[i] = v
				assign(i + 1)
			}
		}
	}
	assign(0)
	return sorted(rows)
}

// ways is how many choices of relationships there are for the steps from the i-th on.
func (o *oracle) ways(p *pattern, nodes []int, i int, used []int) int {
	if i == len(p.steps) {
		return 1
	}
	s := p.steps[i]
	if s.max == 0 {
		s.min, s.max = 1, 1
	}
	return o.walks(p, nodes, i, s, nodes[s.from], 0, used)
}

func (o *oracle) walks(p *pattern, nodes []int, i int, s step, at, length int, used []int) int {
	n := 0
	if length >= s.min && at == nodes[s.to] {
		n += o.ways(p, nodes, i+1, used)
	}
	if length == s.max {
		return n
	}
	for r, rel := range o.rels {
		if s.typ != "" && s.typ != rel.typ || slices.Contains(used, r) {
			continue
		}
		if s.direction >= 0 && rel.start == at {
			n += o.walks(p, nodes, i, s, rel.end, length+1, append(slices.Clip(used), r))
		}
		if s.direction <= 0 && rel.end == at && (s.direction < 0 || rel.start != rel.end) {
			n += o.walks(p, nodes, i, s, rel.start, length+1, append(slices.Clip(used), r))
		}
	}
	return n
}

// Whatever the order in which it is planned, a pattern has the rows that trying everything finds,
// and count(*) their number.
func TestMatchesOfRandomPatterns(t *testing.T) {
	rnd, w := testseed.Rand(t), newWorld(t)
	o := w.fill(rnd, 7, 14)
	for range 150 {
		p := randomPattern(rnd)
		want := o.matches(p)
		var columns []string
		for i := range p.labels {
			columns = append(columns, fmt.Sprintf("n%d.n", i))
		}
		match := "MATCH " + p.String()
		if got := sorted(w.run(match + " RETURN " + strings.Join(columns, ", "))); !slices.Equal(got, want) {
			t.Fatalf("%s\ngot  %v\nwant %v\n%s", match, got, want, w.explain(match+" RETURN n0"))
		}
		if got := w.run(match + " RETURN count(*)"); got[0] != fmt.Sprintf("[%d]", len(want)) {
			t.Fatalf("%s RETURN count(*): %v, not %d\n%s", match, got, len(want), w.explain(match+" RETURN count(*)"))
		}
	}
}

// A path of k relationships is counted by walking k-1 of them.
func TestCountsOfPathsUseDegrees(t *testing.T) {
	rnd, w := testseed.Rand(t), newWorld(t)
	o := w.fill(rnd, 7, 20)
	for _, hop := range []string{"-[%s]->", "<-[%s]-", "-[%s]-"} {
		for _, types := range []string{"", ":R", ":R|S"} {
			one := fmt.Sprintf(hop, types)
			pattern := "MATCH (a)-[r]-(b)" + one + "(c)"
			if plan := w.explain(pattern + " RETURN count(*)"); !strings.Contains(plan, "Degree") {
				t.Fatalf("%s: no degrees in\n%s", pattern, plan)
			}
			counted, listed := w.run(pattern+" RETURN count(*)"), w.run(pattern+" RETURN 1")
			if counted[0] != fmt.Sprintf("[%d]", len(listed)) {
				t.Fatalf("%s: %v counted, %d listed, of %v", pattern, counted, len(listed), o.rels)
			}
			for _, counts := range []string{"count(c)", "count(b), count(*)", "1 + count(c) - count(*)"} {
				if plan := w.explain(pattern + " RETURN " + counts); !strings.Contains(plan, "Degree") {
					t.Fatalf("%s RETURN %s: no degrees in\n%s", pattern, counts, plan)
				}
			}
			if got := w.run(pattern + " RETURN count(c)"); got[0] != counted[0] {
				t.Fatalf("%s: count(c) is %v, count(*) %v", pattern, got, counted)
			}
			grouped := w.run(pattern + " RETURN a.n, count(*) AS k ORDER BY a.n")
			if again := w.run(pattern + " WITH a, c.n AS n RETURN a.n, count(n) AS k ORDER BY a.n"); !slices.Equal(grouped,
				again) {
				t.Fatalf("%s: by node %v, not %v", pattern, grouped, again)
			}
		}
	}
}
