package schedule

var wholeSchedule = definition{
	name: "whole", needs: Needs{Streams: true},
	build: func([]float64) decider { return decider{Whole, wholeRule, 0} },
}

// Whole sends every chunk from which an active vertex may send, in storage order. It is
// the baseline that other policies are measured against, as GraphReduce (SC'15) does it.
func Whole(s State) []Load {
	var loads []Load
	for _, i := range s.wanted() {
		loads = append(loads, Load{Chunk: i})
	}
	return s.settle(loads)
}

func wholeRule(State, []Load) string { return "chunks with an active vertex, whole" }
