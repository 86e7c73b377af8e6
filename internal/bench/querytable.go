package bench

import (
	"fmt"
	"io"
	"strings"
)

// Goals of the ratios: nothing slower than Kuzu, and loading five times as fast.
const queryGoal, loadGoal = 1, 0.2

// WriteMarkdown writes a table for each graph, and the statements.
func (s *Queries) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	s.preamble(&b)
	b.WriteString("Microseconds of one run of a statement: medians, and the least in parentheses. A ratio below 1 means that Penstock is faster.\n" +
		"Both answer in processes of their own whose database is open, statements with parameters, rows read in Go; answers agree.\n")
	for _, g := range s.Graphs {
		fmt.Fprintf(&b, "\n## %s\n\n%d nodes, %d edges\n\n", g.Name, g.Vertices, g.Edges)
		header(&b, "", penstockQuery, kuzuQuery, "ratio", "goal")
		for _, row := range g.Rows {
			row.queriedLine(&b)
		}
	}
	b.WriteString("\n## Statements\n\n")
	header(&b, "", "statement", "runs in a round")
	for _, q := range queries {
		line(&b, q.name, "`"+q.text+"`", fmt.Sprint(max(1, q.sources)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r Row) queriedLine(b *strings.Builder) {
	ours, theirs := r.Ways.of(penstockQuery), r.Ways.of(kuzuQuery)
	if !theirs.measured() {
		line(b, r.Name, ours.microseconds(), "", "", "")
		return
	}
	goal := float64(queryGoal)
	if r.Name == loading {
		goal = loadGoal
	}
	met := "not met"
	if ours.median() <= goal*theirs.median() {
		met = "met"
	}
	line(b, r.Name, ours.microseconds(), theirs.microseconds(), ours.over(theirs), fmt.Sprintf("≤ %.2f %s", goal, met))
}
