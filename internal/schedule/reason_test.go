package schedule

import (
	"strings"
	"testing"
	"time"
)

// reasonState has four chunks of two rows each: a tenth, a half, nothing and all of their edges are wanted.
func reasonState() State {
	s := State{All: true, Slot: 500, Costs: costly, Pipeline: Pipeline{Workers: 1, Slots: 1}}
	for _, wanted := range []uint64{10, 50, 0, 100} {
		s.Chunks = append(s.Chunks, Chunk{Rows: 2, Edges: 100, Bytes: 1000})
		s.Demand, s.Lists = append(s.Demand, wanted), append(s.Lists, 1)
	}
	s.Grid = Strips(s.Chunks, 2000)
	return s
}

func explain(t *testing.T, name string, s State) Reason {
	t.Helper()
	schedule, err := Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return schedule.Explain(s, schedule.Plan(s))
}

func TestExplain(t *testing.T) {
	unmeasured := func(s *State) { s.Costs.Measured = false }
	without := func(s *State) { s.Demand, s.Lists = nil, nil }
	for _, c := range []struct {
		schedule string
		change   func(*State)
		wanted   uint64
		rule     []string
	}{
		{"auto", func(*State) {}, 160, []string{"of 3 cut, as costs least; bound by "}},
		{"auto", unmeasured, 160, []string{"2 of 3 cut, which is less to send; nothing is measured yet"}},
		{"auto", func(s *State) { s.Waiting = 30 }, 160, []string{"; 30 edges wait, of active vertices that are far"}},
		{"auto", without, 0, []string{"the device needs every edge of a chunk: "}},
		{"subway:threshold=0.8", func(*State) {}, 160, []string{"80 %"}},
		{"subway:threshold=0.8", without, 0, []string{"the device needs every edge of a chunk: "}},
		{"neugraph", func(*State) {}, 160, []string{"grid of 2×1, the least with cells that 0.0 MB hold; its columns are one",
			"of 3 parts filtered, 53.3 % of all their edges are valid (copy not measured",
			"; order of the grid, for by another sums would differ"}},
		{"neugraph", func(s *State) {
			s.Grid = Grid{rows: [][]int{{0, 1, 2, 3}}, cols: Cut(make([]uint32, 8), 1, 1), room: 3e6}
			s.AnyOrder = true
		}, 160,
			[]string{"grid of 1×1, the least with cells that 3.0 MB hold; ", "; order of the grid"}},
		{"neugraph", func(s *State) { s.Pass = time.Second }, 160, []string{"grid of 2×1; "}},
		{"neugraph", without, 0, []string{"the device needs every edge of a chunk: grid of 2×1"}},
	} {
		s := reasonState()
		c.change(&s)
		got := explain(t, c.schedule, s)
		if c.schedule == "subway:threshold=0.8" && got.Bytes != map[bool]uint64{true: 4000, false: 1611}[c.wanted == 0] {
			t.Errorf("%s: %d bytes are to be sent of %d edges", c.schedule, got.Bytes, c.wanted)
		}
		if got.Wanted != c.wanted {
			t.Errorf("%s: %d edges are wanted, want %d", c.schedule, got.Wanted, c.wanted)
		}
		for _, part := range c.rule {
			if !strings.Contains(got.Rule, part) {
				t.Errorf("%s: %q is not in %q", c.schedule, part, got.Rule)
			}
		}
		if s.Demand != nil && strings.Contains(got.Rule, "needs every edge") {
			t.Errorf("%s: %q, though demand is known", c.schedule, got.Rule)
		}
	}
}

// Cells of one chunk are one load of it, when it comes to how long all takes.
func TestExplain_Predicted(t *testing.T) {
	s := reasonState()
	whole := Schedule{decider: decider{rule: func(State, []Load) string { return "" }}}
	once := whole.Explain(s, []Load{{Chunk: 0}, {Chunk: 1}}).Predicted
	if got := whole.Explain(s, []Load{{Chunk: 0}, {Chunk: 1}, {Chunk: 0}, {Chunk: 1}}).Predicted; got != once || got == 0 {
		t.Errorf("%v s, in cells %v s", once, got)
	}
	if got := whole.Explain(s, []Load{{Chunk: 0}}).Predicted; got >= once {
		t.Errorf("one chunk takes %v s, two take %v s", got, once)
	}
}

func TestTrial_Why(t *testing.T) {
	var found trial
	found.simulated = change{before: 30 * time.Millisecond, after: 20*time.Millisecond + 4}
	swaps := "improved by simulated swaps: 20ms instead of 30ms"
	for _, c := range []struct {
		step step
		took change
		want string
	}{
		{begun, change{}, "order of the grid"},
		{profiled, change{}, "order of the grid, profiled"},
		{tried, change{}, "order " + swaps},
		{settled, change{before: 5 * time.Second, after: 4 * time.Second}, "order " + swaps +
			"; it took 4s instead of 5s, and stays"},
		{settled, change{before: 5 * time.Second, after: 5 * time.Second}, "order of the grid again, not that " + swaps +
			"; it took 5s instead of 5s"},
	} {
		found.step, found.took = c.step, c.took
		if got := found.why(State{AnyOrder: true}); got != c.want {
			t.Errorf("step %d: %q, want %q", c.step, got, c.want)
		}
		if got := found.why(State{}); got != "order of the grid, for by another sums would differ" {
			t.Errorf("step %d: %q", c.step, got)
		}
	}
}

func TestParts(t *testing.T) {
	if got := parts([]Load{{Part: true}, {}, {Part: true}}); got != 2 {
		t.Errorf("got %d", got)
	}
}

func TestParse_Bounds(t *testing.T) {
	if _, err := Parse("subway:threshold=0.5"); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"subway:threshold=-0.1", "subway:threshold=1.1", "subway:threshold=NaN",
		"subway:threshold=x", "subway:threshold"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%s is a schedule", text)
		}
	}
}
