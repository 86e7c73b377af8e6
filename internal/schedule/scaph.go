package schedule

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

var scaphSchedule = definition{
	name: "scaph", summary: "levels: how often a chunk is gone through while others come; 0: as long as it is of value; model=1: values by throughput, not by thresholds",
	needs:      Needs{Demand: true, Queue: true, Settle: Required},
	parameters: []parameter{{"alpha", 0.5, 0, 1}, {"beta", 0.3, 0, 1}, {"levels", 0, 0, 64}, {"model", 0, 0, 1}},
	build: func(v []float64) decider {
		p := Scaph{Alpha: v[0], Beta: v[1], Levels: int(v[2]), Model: v[3] > 0.5}
		return decider{p.Plan, p.rule, 0}
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
	// Model has chunks valued by the throughput that they are expected to have, once that can be told; else, and before,
	// α and β decide.
	Model bool
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
	if p.models(s) {
		high, low := s.throughput(chunk)
		return high > low
	}
	useful := s.share(s.Demand, chunk)
	return useful > p.Alpha || useful > p.Beta && useful > s.share(s.Before, chunk)
}

// models tells whether the model decides: what it needs has been measured.
func (p Scaph) models(s State) bool { return p.Model && s.Costs.Reuse > 0 && s.bandwidth() > 0 }

// throughput is the paper's model of a chunk G (section 4), in edges a second: what is of use over the time that it
// takes to be sent.
//
//	T_HV = (UD + λ·PUD) / (G/BW)          sent whole, and gone through again
//	T_LV = UD / (UD/BW + t_barrier)       its active lists alone, which have to be cut out first
//
// The paper leaves λ·PUD open, as nobody knows beforehand what will be of use later. Here it is what staying has
// brought in this run: UD and λ·PUD together are Reuse times UD. BW and t_barrier are measured in this run too.
func (s State) throughput(chunk int) (high, low float64) {
	useful, bw := float64(s.Demand[chunk]), s.bandwidth()
	high = useful * max(1, s.Costs.Reuse) / (float64(s.Chunks[chunk].Bytes) / bw)
	low = useful / (s.partBytes(chunk)/bw + s.Costs.Barrier/float64(max(1, s.Costs.Readers)))
	return high, low
}

// bandwidth is BW, in bytes a second: that of the slowest stage on the way to the device.
func (s State) bandwidth() float64 {
	each := max(s.Costs.Read/float64(max(1, s.Costs.Readers)), s.Costs.Link, s.Costs.Check)
	if !s.Costs.Measured || each == 0 {
		return 0
	}
	return 1 / each
}

func (p Scaph) rule(s State, loads []Load) string {
	low := parts(loads)
	text := fmt.Sprintf("%d chunks of high value, %d of low", len(loads)-low, low)
	switch {
	case p.models(s):
		return text + fmt.Sprintf(", by throughput (%.3g GB/s, barrier %v, %.3g edges processed for each that was useful)",
			s.bandwidth()/1e9, rounded(time.Duration(s.Costs.Barrier/float64(max(1, s.Costs.Readers))*1e9)), s.Costs.Reuse)
	case p.Model:
		text += ", nothing is measured yet"
	}
	return text + fmt.Sprintf(", by thresholds of %g and %g", p.Alpha, p.Beta)
}
