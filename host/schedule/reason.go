package schedule

import "fmt"

// Reason says why an iteration gets what it gets.
type Reason struct {
	Rule      string
	Wanted    uint64  // edges of active vertices; 0 where that is not looked at
	Predicted float64 // seconds
}

// Explain says why Plan has chosen these loads.
func (s Schedule) Explain(state State, loads []Load) Reason {
	r := Reason{Rule: s.kind.rule(s.values, state, loads), Predicted: state.Predict(once(loads)).Longest()}
	if s.kind.looks && state.Demand == nil {
		r.Rule = "the device needs every edge of a chunk: " + wholeRule(nil, state, loads)
	}
	for _, edges := range state.Demand {
		r.Wanted += edges
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

func wholeRule([]float64, State, []Load) string { return "chunks with an active vertex, whole" }

func autoRule(_ []float64, s State, loads []Load) string {
	if !s.Costs.Measured {
		return fmt.Sprintf("%d of %d cut, which is less to send; nothing is measured yet", parts(loads), len(loads))
	}
	return fmt.Sprintf("%d of %d cut, as is soonest; bound by %s", parts(loads), len(loads), s.Predict(loads).bound())
}

func subwayRule(values []float64, s State, _ []Load) string {
	if (Subway{Threshold: values[0]}).dense(s) {
		return fmt.Sprintf("chunks whole: of all edges more than %g %% are wanted", 100*values[0])
	}
	return fmt.Sprintf("lists of active vertices: of all edges at most %g %% are wanted", 100*values[0])
}

func neuGraphRule(_ []float64, _ State, loads []Load) string {
	return fmt.Sprintf("%d of %d cells filtered, which costs less than to send the rest", parts(loads), len(loads))
}

func scaphRule(_ []float64, _ State, loads []Load) string {
	low := parts(loads)
	return fmt.Sprintf("%d chunks of high value, %d of low", len(loads)-low, low)
}

func parts(loads []Load) (n int) {
	for _, l := range loads {
		if l.Part {
			n++
		}
	}
	return n
}
