package rates

import (
	"math"

	"github.com/penstock-db/penstock/internal/core"
)

// Sample is what a run took.
type Sample struct {
	core.Work         // Sources: as many as it went through at once
	Launch    float64 `json:"launch"`  // seconds until the device's process answered
	Load      float64 `json:"load"`    // and those of all the rest that is not computing
	Compute   float64 `json:"compute"` // in kernels
	Peak      uint64  `json:"peak"`    // bytes on the device
	// Doubts: that the last run took quite another time.
	Doubts bool `json:"doubts,omitempty"`
}

// least is the shortest time that counts: below, clocks and schedulers are what is measured.
const least = 1e-6

// alike tells whether two samples are of the same work.
func (s Sample) alike(t Sample) bool {
	s.Rounds, t.Rounds = 0, 0
	return s.Work == t.Work
}

// mixed is s after it has been seen to take t: the last run counts a quarter, and by its ratio to those before, so that
// one that was held up by other work does not spoil what is known; two such in a row are no accident, and count alone.
func (s Sample) mixed(t Sample) Sample {
	t.Doubts = s.unlike(t)
	if s.Doubts && t.Doubts {
		t.Doubts = false
		return t
	}
	mix := func(before, now float64) float64 {
		before, now = max(least, before), max(least, now)
		return before * math.Pow(now/before, 0.25)
	}
	t.Rounds, t.Launch, t.Load, t.Compute = mix(s.Rounds, t.Rounds), mix(s.Launch, t.Launch), mix(s.Load, t.Load),
		mix(s.Compute, t.Compute)
	t.Peak = max(s.Peak, t.Peak)
	return t
}

// unlike tells whether one of two samples of the same work took twice as long as the other.
func (s Sample) unlike(t Sample) bool {
	before, now := max(least, s.Load+s.Compute), max(least, t.Load+t.Compute)
	return max(before, now) > 2*min(before, now)
}

// near is how much a sample tells of the work: the less the further it is away, in powers of two.
func (s Sample) near(w core.Work) float64 {
	distance := 0.0
	for _, pair := range [][2]uint64{{s.Vertices, w.Vertices}, {s.Edges, w.Edges}, {s.Linked, w.Linked},
		{max(1, s.Sources), max(1, w.Sources)}} {
		apart := math.Log2(float64(pair[0]+1) / float64(pair[1]+1))
		distance += apart * apart
	}
	if s.Graph != w.Graph {
		distance += other
	}
	return 1 / (same + distance) / (same + distance)
}

// same is how far apart what is the same counts as: so little that what was measured is foretold as it was.
const same = 1e-3

// other is how far apart graphs of the same size are: ten thousand samples of others weigh as much as one of the graph
// itself, which knows what costs do not go by, such as how many edges are parallel.
const other = 0.1

// features are what a run's costs go by, as core.Costs has them.
func features(w core.Work, times float64) []float64 {
	n := float64(w.Linked)
	return []float64{times, times * float64(w.Vertices), times * float64(w.Edges), times * n * n}
}

func costs(fitted []float64) core.Costs {
	return core.Costs{Fixed: fitted[0], Vertex: fitted[1], Edge: fitted[2], Cell: fitted[3]}
}
