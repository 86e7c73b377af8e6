package schedules

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// front is the Pareto front of a row's named schedules by bytes to the device and processors' time, fewest bytes first:
// no other takes at most as much of both, and less of one. Neither the baseline is among them nor auto, which is to be
// compared with it.
func (r StreamedRow) front() (front []Cell) {
	for _, c := range r.Cells {
		if c.named() && !slices.ContainsFunc(r.Cells, func(other Cell) bool { return other.named() && other.dominates(c) }) {
			front = append(front, c)
		}
	}
	slices.SortStableFunc(front, func(a, b Cell) int { return cmp.Compare(a.transfer(), b.transfer()) })
	return front
}

// named tells whether a cell has figures of a schedule that auto is compared with.
func (c Cell) named() bool {
	return c.measured() && c.Schedule != plainSchedule && c.Schedule != autoSchedule
}

// dominates tells whether a cell takes at most as much as another of both figures, and less of one.
func (c Cell) dominates(other Cell) bool {
	bytes, time := cmp.Compare(c.transfer(), other.transfer()), cmp.Compare(c.processors(), other.processors())
	return bytes <= 0 && time <= 0 && bytes+time < 0
}

// above is how many times as much a cell takes as another, of the figure of which that is more.
func (c Cell) above(bytes, time float64) float64 {
	return max(ratio(c.transfer(), bytes), ratio(c.processors(), time))
}

// ratio of two figures; 1 of two that are nothing.
func ratio(a, b float64) float64 {
	switch {
	case b > 0:
		return a / b
	case a > 0:
		return math.Inf(1)
	}
	return 1
}

// fronts is what a row says of bytes and processors' time together.
type fronts struct {
	front  []Cell
	both   []string // schedules within nearBest of the fewest bytes and of the least time
	on     bool     // auto is on the front of all
	beside float64  // else how many times as much auto takes as the schedule of the front that it is nearest to
}

// fronts compares auto with the front; it was measured, and another schedule.
func (r StreamedRow) fronts() (f fronts, ok bool) {
	auto, is := r.of(autoSchedule)
	if f.front = r.front(); !is || len(f.front) == 0 {
		return f, false
	}
	fewest, _ := r.least(Cell.transfer)
	fastest, _ := r.least(Cell.processors)
	for _, c := range r.Cells {
		if (c.named() || c.is(autoSchedule)) && c.above(fewest.transfer(), fastest.processors()) <= nearBest {
			f.both = append(f.both, c.Schedule)
		}
	}
	f.on, f.beside = true, math.Inf(1)
	for _, c := range f.front {
		f.on = f.on && !c.dominates(auto)
		f.beside = min(f.beside, auto.above(c.transfer(), c.processors()))
	}
	return f, true
}

// near tells whether auto is on the front, or beside it.
func (f fronts) near() bool { return f.on || f.beside <= nearBest }

// markdown are the cells of a row's line.
func (f fronts) markdown() []string {
	var points []string
	for _, c := range f.front {
		points = append(points, fmt.Sprintf("%s %.1f MB, %.0f ms", c.Schedule, c.transfer()/1e6, c.processors()*1e3))
	}
	both, auto := "none", fmt.Sprintf("%.2f %s", f.beside, met(f.near()))
	if len(f.both) > 0 {
		both = strings.Join(f.both, ", ")
	}
	if f.on {
		auto = "on it"
	}
	return []string{strings.Join(points, "; "), both, auto}
}

// frontsMarkdown writes a table of the fronts of a graph's rows; of none, nothing.
func (g StreamedGraph) frontsMarkdown(b *strings.Builder) {
	began := false
	for _, row := range g.Rows {
		f, ok := row.fronts()
		if !ok {
			continue
		}
		if !began {
			b.WriteString("\n")
			measure.Header(b, "kernel", "share", "front of bytes and CPU", "within 1.10 of both", "auto beside the front")
			began = true
		}
		measure.Line(b, append([]string{row.Kernel, fraction(row.Share)}, f.markdown()...)...)
	}
}

// frontsText sums the rows of all graphs up.
func (s *Streaming) frontsText() string {
	var rows, near, both, auto int
	worst := 0.0
	for _, g := range s.Graphs {
		for _, row := range g.Rows {
			f, ok := row.fronts()
			if !ok {
				continue
			}
			rows++
			if f.near() {
				near++
			} else {
				worst = max(worst, f.beside)
			}
			if len(f.both) > 0 {
				both++
			}
			if slices.Contains(f.both, autoSchedule) {
				auto++
			}
		}
	}
	if rows == 0 {
		return ""
	}
	text := fmt.Sprintf("\nBytes and processors' time together, of %d rows: `auto` is on the Pareto front of the other schedules or within %.2f of it in %d (%.0f %%)",
		rows, nearBest, near, 100*float64(near)/float64(rows))
	if near < rows {
		text += fmt.Sprintf(", at worst %.2f", worst)
	}
	return text + fmt.Sprintf(". Some one schedule is within %.2f of both, the fewest bytes and the least time, in %d, and `auto` in %d of these.\n",
		nearBest, both, auto)
}
