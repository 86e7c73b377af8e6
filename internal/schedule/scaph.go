package schedule

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

var scaphSchedule = definition{
	name: "scaph", summary: "levels: how often a chunk is gone through while others come; 0: as long as it is of value",
	needs:      Needs{Demand: true, Queue: true, Settle: Required},
	parameters: []parameter{{"alpha", 0.5, 0, 1}, {"beta", 0.3, 0, 1}, {"levels", 0, 0, 64}},
	build: func(v []float64) decider {
		return decider{Scaph{Alpha: v[0], Beta: v[1], Levels: int(v[2])}.Plan, scaphRule, 0}
	},
}

// Scaph tells chunks of high value, which are sent whole and gone through again and again
// while they are on the device, from those of low value, of which only the edges of active
// vertices are sent. Zheng et al., "Scaph: Scalable GPU-Accelerated Graph Processing with
// Value-Driven Differential Scheduling", ATC'20.
//
// Of a chunk's data, that of active vertices is useful now (UD), that of vertices that will
// be active once more potentially useful (PUD), and the rest never used again (NUD). What is
// going to be is not known, but a share of UD that grows foretells more.
type Scaph struct {
	Alpha float64 // a share of useful data above this is of high value; the paper: 0.5
	Beta  float64 // so is one above this that has grown; the paper: 0.3
	// Levels is k: how often a chunk of high value is gone through, at most, while others come. The paper has a queue for
	// each iteration, so that chunks are gone through as long as they are of value: 0.
	Levels int
}

// Plan is Scaph's Policy: chunks of high value come first, the more useful the sooner.
func (p Scaph) Plan(s State) []Load {
	if s.Demand == nil {
		return Whole(s)
	}
	var high, low []Load
	for i, edges := range s.Demand {
		switch {
		case edges == 0:
		case p.High(s, i):
			high = append(high, Load{Chunk: i, Rounds: p.rounds()})
		default:
			low = append(low, Load{Chunk: i, Part: true, Rounds: 1})
		}
	}
	slices.SortStableFunc(high, func(a, b Load) int {
		return cmp.Compare(s.share(s.Demand, b.Chunk), s.share(s.Demand, a.Chunk))
	})
	return append(high, low...)
}

// rounds is how often a chunk of high value may be gone through.
func (p Scaph) rounds() int {
	if p.Levels == 0 {
		return math.MaxInt32
	}
	return p.Levels
}

// High tells whether a chunk is worth sending whole.
func (p Scaph) High(s State, chunk int) bool {
	useful := s.share(s.Demand, chunk)
	return useful > p.Alpha || useful > p.Beta && useful > s.share(s.Before, chunk)
}

func scaphRule(_ State, loads []Load) string {
	low := parts(loads)
	return fmt.Sprintf("%d chunks of high value, %d of low", len(loads)-low, low)
}
