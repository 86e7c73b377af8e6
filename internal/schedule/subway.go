package schedule

import "fmt"

var subwaySchedule = definition{
	name: "subway", needs: Needs{Demand: true, Settle: Preferred},
	parameters: []parameter{{"threshold", 0.8, 0, 1}, {"priority", 0, 0, 1}},
	build: func(v []float64) decider {
		s := Subway{Threshold: v[0]}
		return decider{s.Plan, s.rule, v[1]}
	},
}

// Subway sends only the edges of active vertices, cut out of the chunks, unless these are
// more than a threshold's share of all: then cutting costs more than it saves, and chunks are
// sent whole. What is sent settles. In the paper no active vertex waits; the parameter priority is the
// part of the room that near ones fill before others. Sabet, Zhao, Gupta, "Subway: Minimizing Data
// Transfer during Out-of-GPU-Memory Graph Processing", EuroSys'20, sections 3 and 4.
type Subway struct {
	Threshold float64 // the paper: 0.8
}

// Plan is Subway's Policy.
func (p Subway) Plan(s State) []Load {
	if s.Demand == nil || p.dense(s) {
		return Whole(s)
	}
	var loads []Load
	for i, edges := range s.Demand {
		if edges > 0 {
			loads = append(loads, Load{Chunk: i, Part: true})
		}
	}
	return s.settle(loads)
}

func (p Subway) dense(s State) bool {
	var wanted, all uint64
	for i, edges := range s.Demand {
		wanted, all = wanted+edges, all+s.Chunks[i].Edges
	}
	return float64(wanted) > p.Threshold*float64(all)
}

func (p Subway) rule(s State, _ []Load) string {
	if p.dense(s) {
		return fmt.Sprintf("chunks whole: of all edges more than %g %% are wanted", 100*p.Threshold)
	}
	return fmt.Sprintf("lists of active vertices: of all edges at most %g %% are wanted", 100*p.Threshold)
}
