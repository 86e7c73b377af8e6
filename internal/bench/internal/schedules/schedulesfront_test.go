package schedules

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/penstock-db/penstock/internal/bench/internal/measuretest"
)

// spent is a schedule that has sent so many megabytes and taken so many seconds of all processors.
func spent(schedule string, megabytes, cpu float64) Cell {
	return Cell{Schedule: schedule, Rounds: []Round{{Transfer: uint64(megabytes * 1e6), CPU: cpu, Seconds: cpu}}}
}

func TestSchedules_Fronts(t *testing.T) {
	for _, c := range []struct {
		cells []Cell
		want  []string
	}{
		{[]Cell{spent("whole", 100, 1), spent("subway", 40, 2), spent("scaph", 30, 4), spent("neugraph", 50, 4), spent("auto", 60, 1.5)},
			[]string{"| scaph 30.0 MB, 4000 ms; subway 40.0 MB, 2000 ms; whole 100.0 MB, 1000 ms | none | on it |", "in 1 (100 %). Some one",
				"in 0, and `auto` in 0"}},
		{[]Cell{spent("plain", 1, 0.1), spent("whole", 100, 1), spent("subway", 40, 1.05), spent("auto", 44, 1.2)},
			[]string{"| subway 40.0 MB, 1050 ms; whole 100.0 MB, 1000 ms | subway | 1.14 not met |", "in 0 (0 %), at worst 1.14. Some one",
				"in 1, and `auto` in 0"}},
		{[]Cell{spent("whole", 100, 2), spent("auto", 101, 2), {Schedule: "scaph", Refused: "too much"}},
			[]string{"| whole 100.0 MB, 2000 ms | whole, auto | 1.01 met |", "in 1 (100 %). Some one", "in 1, and `auto` in 1"}},
		{[]Cell{spent("whole", 0, 2), spent("auto", 1, 2)}, []string{"| whole | +Inf not met |"}},
	} {
		text := measuretest.Markdown(t, streamedOnce("g", "sssp", 0.5, c.cells...))
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
	}
	if text := measuretest.Markdown(t, streamedOnce("g", "sssp", 0.5, spent("auto", 1, 1))); strings.Contains(text, "front") {
		t.Errorf("a front of auto alone:\n%s", text)
	}
}

// A front has the fewest bytes and the least time; every other schedule takes at least as much of both as one that is
// there. Auto is on the front of all, or above one of it.
func TestStreamedRow_FrontByItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		figure := rapid.Float64Range(1, 4)
		var row StreamedRow
		for _, name := range []string{"plain", "whole", "subway", "scaph", "auto"} {
			row.Cells = append(row.Cells, spent(name, math.Round(figure.Draw(t, "megabytes")), math.Round(figure.Draw(t, "cpu"))))
		}
		f, ok := row.fronts()
		if !ok {
			t.Fatal("no front")
		}
		in := func(c Cell) bool {
			return slices.ContainsFunc(f.front, func(p Cell) bool { return p.Schedule == c.Schedule })
		}
		under := func(c Cell) bool { // something of the front takes no more of either
			return slices.ContainsFunc(f.front, func(p Cell) bool {
				return p.transfer() <= c.transfer() && p.processors() <= c.processors()
			})
		}
		for _, c := range row.Cells[1:4] {
			if !in(c) && !under(c) {
				t.Errorf("%s is neither on the front nor above it: %+v", c.Schedule, row.Cells)
			}
		}
		for i, c := range f.front {
			if i > 0 && (c.transfer() < f.front[i-1].transfer() || c.processors() > f.front[i-1].processors()) {
				t.Errorf("more bytes have to buy time: %+v", f.front)
			}
		}
		if auto := row.Cells[4]; !f.on && !under(auto) || !f.on && f.beside < 1 {
			t.Errorf("auto is not on the front, nor above it: %+v, %+v", f, row.Cells)
		}
	})
}
