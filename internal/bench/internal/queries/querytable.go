package queries

import (
	"fmt"
	"io"
	"strings"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/results"
)

// Goals of the ratios: nothing slower than Kuzu, and loading five times as fast.
const queryGoal, loadGoal = 1, 0.2

// WriteMarkdown writes a table for each graph, and the statements.
func (s *Queries) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	s.Preamble(&b)
	b.WriteString(
		"Microseconds of one run of a statement: medians, and the least in parentheses. A ratio below 1 means that Penstock is faster.\n" +
			"Both answer in processes of their own whose database is open, statements with parameters, rows read in Go; answers agree.\n")
	for _, g := range s.Graphs {
		fmt.Fprintf(&b, "\n## %s\n\n%d nodes, %d edges\n\n", g.Name, g.Vertices, g.Edges)
		measure.Header(&b, "", measure.PenstockQuery, measure.KuzuQuery, "ratio", "goal")
		for _, row := range g.Rows {
			queriedLine(row, &b)
		}
	}
	b.WriteString("\n## Statements\n\n")
	measure.Header(&b, "", "statement", "runs in a round")
	for _, q := range queries {
		measure.Line(&b, q.name, "`"+q.text+"`", fmt.Sprint(max(1, q.sources)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func queriedLine(r results.Row, b *strings.Builder) {
	ours, theirs := r.Ways.Of(measure.PenstockQuery), r.Ways.Of(measure.KuzuQuery)
	if !theirs.Measured() {
		measure.Line(b, r.Name, ours.Microseconds(), "", "", "")
		return
	}
	goal := float64(queryGoal)
	if r.Name == measure.Loading {
		goal = loadGoal
	}
	met := "not met"
	if ours.Median() <= goal*theirs.Median() {
		met = "met"
	}
	measure.Line(b, r.Name, ours.Microseconds(), theirs.Microseconds(), ours.Over(theirs),
		fmt.Sprintf("≤ %.2f %s", goal, met))
}
