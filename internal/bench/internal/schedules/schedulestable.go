package schedules

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// Goals of RMAT 20 where a quarter of the edges fits: so much of whole's bytes by the best
// schedule. In every cell auto is to take no longer than this times the best.
const (
	fewestBytes  = 0.35
	nearBest     = 1.1
	goalsGraph   = "rmat-20"
	goalsOfShare = 0.25
)

var goalsKernels = []string{"bfs", "sssp", "wcc", "pagerank-delta"}

// median of a figure over the rounds of a cell.
func median[T cmp.Ordered](c Cell, figure func(Round) T) T {
	var all []T
	for _, r := range c.Rounds {
		all = append(all, figure(r))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func (c Cell) measured() bool { return len(c.Rounds) > 0 && !c.Stopped }
func (c Cell) transfer() float64 {
	return float64(median(c, func(r Round) uint64 { return r.Transfer }))
}
func (c Cell) seconds() float64    { return median(c, func(r Round) float64 { return r.Seconds }) }
func (c Cell) processors() float64 { return median(c, func(r Round) float64 { return r.CPU }) }
func (c Cell) iterations() int     { return median(c, func(r Round) int { return r.Iterations }) }
func (c Cell) is(name string) bool { return c.Schedule == name && c.measured() }

// of is the cell of a schedule, if it was measured.
func (r StreamedRow) of(name string) (Cell, bool) {
	i := slices.IndexFunc(r.Cells, func(c Cell) bool { return c.is(name) })
	if i < 0 {
		return Cell{}, false
	}
	return r.Cells[i], true
}

// least is the cell with the least of a figure, of those that were measured and are no baseline.
func (r StreamedRow) least(figure func(Cell) float64) (least Cell, found bool) {
	for _, c := range r.Cells {
		if c.measured() && c.Schedule != plainSchedule && (!found || figure(c) < figure(least)) {
			least, found = c, true
		}
	}
	return least, found
}

// WriteMarkdown writes a table for each graph: kernels and budgets by schedules.
func (s *Streaming) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	s.Preamble(&b)
	b.WriteString(
		"\nA device's memory is the state that it has by a schedule, and a share of what all chunks take. Each cell: megabytes (10^6) sent to the device, in parentheses\n" +
			"over those of `whole`; milliseconds of the whole run, the start of the device's process included; those of all processors, of host and devices; iterations. Medians.\n" +
			"`plain` is `whole` with a program that the device has no special way for, as the papers measure it. Graphs are in some 64 chunks, those of a database in its own.\n")
	for _, g := range s.Graphs {
		g.markdown(&b, s.linkText())
	}
	b.WriteString(s.frontsText())
	_, err := io.WriteString(w, b.String())
	return err
}

// linkText is what every heading says of a simulated link.
func (s *Streaming) linkText() string {
	if s.SimulatedLink == 0 {
		return ""
	}
	return fmt.Sprintf(", *simulated* link of %.3g GB/s", float64(s.SimulatedLink)/1e9)
}

func (g StreamedGraph) markdown(b *strings.Builder, link string) {
	kind := "undirected"
	if g.Directed {
		kind = "directed"
	}
	fmt.Fprintf(b, "\n## %s%s\n\n%d vertices, %d %s edges\n\n", g.Name, link, g.Vertices, g.Edges, kind)
	if len(g.Rows) == 0 {
		return
	}
	columns := []string{"kernel", "share"}
	for _, c := range g.Rows[0].Cells {
		columns = append(columns, c.Schedule)
	}
	measure.Header(b, append(columns, "fewest bytes / whole's", "fewest bytes / plain's",
		"auto's time / least", "auto's bytes / fewest", "auto's CPU / least")...)
	for _, row := range g.Rows {
		cells := []string{row.Kernel, fraction(row.Share)}
		for _, c := range row.Cells {
			cells = append(cells, row.text(c))
		}
		measure.Line(b, append(cells, g.fewest(row, "whole"), g.fewest(row, plainSchedule), row.autoVerdict(Cell.seconds), row.autoVerdict(Cell.transfer), row.autoVerdict(Cell.processors))...)
	}
	g.refusals(b)
	g.frontsMarkdown(b)
}

func (r StreamedRow) text(c Cell) string {
	switch {
	case c.Refused != "":
		return "refused"
	case c.Stopped:
		return "stopped"
	case len(c.Rounds) == 0:
		return "–"
	}
	text := fmt.Sprintf("%.1f MB", c.transfer()/1e6)
	if whole, is := r.of("whole"); is && whole.transfer() > 0 {
		text += fmt.Sprintf(" (%.2f)", c.transfer()/whole.transfer())
	}
	text += fmt.Sprintf(", %.0f ms, CPU %.0f ms, %d", c.seconds()*1e3, c.processors()*1e3, c.iterations())
	return text
}

// fewest are the bytes of the schedule with the fewest over those of a baseline, and the goal.
func (g StreamedGraph) fewest(r StreamedRow, baseline string) string {
	best, found := r.least(Cell.transfer)
	base, is := r.of(baseline)
	if !found || !is || base.transfer() == 0 {
		return "–"
	}
	ratio := best.transfer() / base.transfer()
	text := fmt.Sprintf("%.2f %s", ratio, best.Schedule)
	if g.Name == goalsGraph && r.Share == goalsOfShare && slices.Contains(goalsKernels, r.Kernel) {
		text += fmt.Sprintf(", ≤ %.2f %s", fewestBytes, met(ratio <= fewestBytes))
	}
	return text
}

// autoVerdict is a figure of auto over that of the schedule that has the least.
func (r StreamedRow) autoVerdict(figure func(Cell) float64) string {
	auto, is := r.of(autoSchedule)
	best, found := r.least(figure)
	if !is || !found || figure(best) == 0 {
		return "–"
	}
	ratio := figure(auto) / figure(best)
	return fmt.Sprintf("%.2f %s", ratio, met(ratio <= nearBest))
}

func met(is bool) string {
	if is {
		return "met"
	}
	return "not met"
}

// refusals says why cells are empty, each reason once.
func (g StreamedGraph) refusals(b *strings.Builder) {
	seen := map[string]bool{}
	for _, row := range g.Rows {
		for _, c := range row.Cells {
			text := fmt.Sprintf("- %s by %s is refused: %s\n", row.Kernel, c.Schedule, c.Refused)
			if c.Refused != "" && !seen[text] {
				if len(seen) == 0 {
					b.WriteString("\n")
				}
				seen[text] = true
				b.WriteString(text)
			}
		}
	}
}

// fraction writes 0.25 as 1/4.
func fraction(share float64) string {
	if whole := 1 / share; whole == float64(int(whole)) {
		return fmt.Sprintf("1/%d", int(whole))
	}
	return fmt.Sprintf("%g", share)
}
