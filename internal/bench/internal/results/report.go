// Package results is the report on kernels: a table for each graph with ratios and goals, and bars.
package results

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// Report is a series of measurements. Its JSON form has every round.
type Report struct {
	measure.Setting
	Limit  string  `json:"limit,omitempty"`  // of memory, in words
	Memory uint64  `json:"memory,omitempty"` // that it is, in bytes
	Graphs []Graph `json:"graphs"`
}

// Graph is what was measured on one graph.
type Graph struct {
	Name     string `json:"name"`
	Vertices uint64 `json:"vertices"`
	Edges    uint64 `json:"edges"` // undirected, each counted once
	Bytes    uint64 `json:"bytes"` // of its chunks
	Kernels  []Row  `json:"kernels"`
	Data     []Row  `json:"data"` // loading and reading
}

// Row is a kernel, or what else is done with a graph, in every way that has it.
type Row struct {
	Name string          `json:"name"`
	Ways measure.Timings `json:"ways"`
}

// WriteMarkdown writes a table for each graph, and the commands that gave the times.
func (r *Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	r.Preamble(&b)
	if r.Limit != "" {
		b.WriteString(r.Limit + "\n")
	}
	b.WriteString("Milliseconds: medians, and the least in parentheses. A ratio below 1 means that ours is faster.\n")
	for _, g := range r.Graphs {
		g.markdown(&b)
		g.takenTable(&b, r.Memory)
	}
	r.commands(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (g Graph) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n%d vertices, %d undirected edges, %.1f MiB of chunks\n\n", g.Name, g.Vertices, g.Edges,
		float64(g.Bytes)/(1<<20))
	measure.Header(b, "", "ours", "ms", "peer", "ms", "ratio", "goal")
	for _, row := range slices.Concat(g.Kernels, g.Data) {
		for _, v := range row.comparisons() {
			measure.Line(b, row.Name, v.ours, row.Ways.Of(v.ours).Milliseconds(), v.theirs, row.Ways.Of(v.theirs).Milliseconds(),
				row.Ways.Of(v.ours).Over(row.Ways.Of(v.theirs)), g.verdict(row, v))
		}
		for _, way := range row.alone() {
			measure.Line(b, row.Name, way, row.Ways.Of(way).Milliseconds(), "", "", "", "")
		}
	}
}

// comparisons for which both sides were measured.
func (r Row) comparisons() []versus {
	return slices.DeleteFunc(slices.Clone(comparisons), func(v versus) bool {
		return !r.Ways.Of(v.ours).Measured() || !r.Ways.Of(v.theirs).Measured()
	})
}

// alone are the ways that have nothing to compare them with.
func (r Row) alone() (ways []string) {
	compared := r.comparisons()
	for _, t := range r.Ways {
		if !slices.ContainsFunc(compared, func(v versus) bool { return v.ours == t.Name || v.theirs == t.Name }) {
			ways = append(ways, t.Name)
		}
	}
	return ways
}

// verdict is the goal, and whether the medians reach it.
func (g Graph) verdict(r Row, v versus) string {
	limit, set := goalOf(g.Name, r.Name, v)
	if !set {
		return ""
	}
	met := "not met"
	if r.Ways.Of(v.ours).Median() <= limit*r.Ways.Of(v.theirs).Median() {
		met = "met"
	}
	return fmt.Sprintf("≤ %.2f %s", limit, met)
}

// commands lists what gave the times, once where graphs differ in $GRAPH alone.
func (r *Report) commands(b *strings.Builder) {
	b.WriteString(
		"\n## Commands\n\n$GRAPH is a temporary directory with one graph in the form of each program. What is not listed ran in the process of\n" +
			"the command at the top.\n\n")
	measure.Header(b, "", "", "command")
	seen := map[string]bool{}
	for _, g := range r.Graphs {
		for _, row := range slices.Concat(g.Kernels, g.Data) {
			for _, t := range row.Ways {
				if key := row.Name + t.Command; t.Command != "" && !seen[key] {
					seen[key] = true
					measure.Line(b, row.Name, strings.Join(row.by(t.Command), ", "), "`"+t.Command+"`")
				}
			}
		}
	}
}

// by are the ways that one command is timed for.
func (r Row) by(command string) (ways []string) {
	for _, t := range r.Ways {
		if t.Command == command {
			ways = append(ways, t.Name)
		}
	}
	return ways
}
