package schedule

import (
	"fmt"
	"time"
)

// Reason says why an iteration gets what it gets.
type Reason struct {
	Rule      string
	Wanted    uint64  // edges of active vertices; 0 where that is not looked at
	Predicted float64 // seconds
	Bytes     uint64  // to the device, as predicted
}

// Explain says why Plan has chosen these loads.
func (s Schedule) Explain(state State, loads []Load) Reason {
	all := state.prices(once(loads))
	r := Reason{Rule: s.rule(state, loads), Predicted: all.Longest(), Bytes: uint64(all.bytes + 0.5)}
	if s.Needs.Demand && state.Demand == nil {
		if !s.Needs.Grid {
			r.Rule = wholeRule(state, loads)
		}
		r.Rule = "the device needs every edge of a chunk: " + r.Rule
	}
	for _, edges := range state.Demand {
		r.Wanted += edges
	}
	if state.Waiting > 0 {
		r.Rule += fmt.Sprintf("; %d edges wait, of active vertices that are far", state.Waiting)
	}
	return r
}

// once is one load of each chunk, of which cells may be sent by themselves.
func once(loads []Load) (some []Load) {
	seen := map[int]bool{}
	for _, l := range loads {
		if !seen[l.Chunk] {
			some = append(some, l)
		}
		seen[l.Chunk] = true
	}
	return some
}

func (n *NeuGraph) rule(s State, loads []Load) string {
	return s.Grid.why(s) + "; " + n.rates.why(s, loads) + "; " + n.trial.why(s)
}

// why says it at length the first time.
func (g Grid) why(s State) string {
	text := fmt.Sprintf("grid of %d×%d", len(g.rows), len(g.cols))
	if s.Pass > 0 {
		return text
	}
	text += fmt.Sprintf(", the least with cells that %.1f MB hold", float64(g.room)/1e6)
	switch {
	case g.cols[0].Count == 0:
		text += "; its columns are one, for sums of rows are not cut"
	case g.bytes != nil:
		text += fmt.Sprintf("; the largest takes %.1f MB", float64(g.largest())/1e6)
	}
	return text
}

func (r rates) why(s State, loads []Load) string {
	var valid, all uint64
	for i, edges := range s.Demand {
		if edges > 0 {
			valid, all = valid+edges, all+s.Chunks[i].Edges
		}
	}
	text := fmt.Sprintf("%d of %d parts filtered", parts(loads), len(loads))
	if all > 0 {
		text += fmt.Sprintf(", %.3g %% of all their edges are valid", 100*float64(valid)/float64(all))
	}
	return text + fmt.Sprintf(" (copy %v, filter %v, link %v)", r.copied, r.filtered, r.linked)
}

// String is the rate of all that was measured.
func (l line) String() string {
	switch {
	case l.x == 0:
		return "not measured"
	case l.y == 0:
		return "none"
	}
	return fmt.Sprintf("%.3g GB/s", l.x/l.y/1e9)
}

func (t *trial) why(s State) string {
	simulated := fmt.Sprintf("improved by simulated swaps: %v instead of %v", rounded(t.simulated.after),
		rounded(t.simulated.before))
	took := fmt.Sprintf("; it took %v instead of %v", rounded(t.took.after), rounded(t.took.before))
	switch {
	case !s.AnyOrder:
		return "order of the grid, for by another sums would differ"
	case t.step == begun:
		return "order of the grid"
	case t.step == profiled:
		return "order of the grid, profiled"
	case t.step == tried:
		return "order " + simulated
	case t.kept():
		return "order " + simulated + took + ", and stays"
	}
	return "order of the grid again, not that " + simulated + took
}

func rounded(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

func parts(loads []Load) (n int) {
	for _, l := range loads {
		if l.Part {
			n++
		}
	}
	return n
}
