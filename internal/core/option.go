package core

import (
	"fmt"
	"slices"

	"github.com/penstock-db/penstock/formats/chunk"
)

// Option is a core that might be chosen, and what is known and expected of it.
type Option struct {
	Rule string `json:"rule"` // by which ParseRule would ask for it
	Candidate
	// Sparser: one of the same kind with more vertices is denser. Tighter is not always denser: those of highest degree
	// need not be each other's neighbors.
	Sparser bool `json:"sparser,omitempty"`
	// Seconds that the run is expected to take with it. 0: nothing is known of the devices' rates.
	Seconds float64 `json:"seconds,omitempty"`
	Refused string  `json:"refused,omitempty"` // why the device cannot have it

	interval *chunk.Interval // whose vertices they are; nil: those of highest degree
}

// Survey finds the options of a rule in one pass over the chunks of one direction.
type Survey struct {
	rule     Rule
	vertices uint64
	rank     []uint32
	sizes    []uint64
	counter  *Counter // nil: nobody asked for degrees
	grid     *Grid    // nil: nor for communities
}

// NewSurvey begins one. The graph's vertices are by communities, or not. Cores of more vertices than largest may have
// to be made smaller; one of that size is among the options of a rule that leaves the size open.
func NewSurvey(rule Rule, degrees []uint32, communities bool, largest uint64) *Survey {
	s := &Survey{rule: rule, vertices: uint64(len(degrees))}
	s.sizes = rule.sizes(s.vertices)
	if rule.Share == 0 && rule.Vertices == 0 && 0 < largest && largest < s.vertices {
		s.sizes = append(s.sizes, largest)
	}
	slices.SortFunc(s.sizes, func(a, b uint64) int { return int(b) - int(a) })
	s.sizes = slices.Compact(s.sizes)
	if rule.Kind != Rabbit {
		s.rank = Rank(degrees)
		s.counter = NewCounter(s.rank, s.sizes)
	}
	if rule.Kind == Rabbit || rule.Kind == Auto && communities {
		s.grid = NewGrid(s.vertices)
	}
	return s
}

// Add counts the edges of a chunk.
func (s *Survey) Add(c *chunk.Chunk) {
	if s.counter != nil {
		s.counter.Add(c)
	}
	if s.grid != nil {
		s.grid.Add(c)
	}
}

// Options are what has been found, of each kind by descending size.
func (s *Survey) Options() (all []Option) {
	if s.counter != nil {
		for _, c := range s.counter.Candidates() {
			all = append(all, Option{Rule: s.name(Degree, c.Vertices), Candidate: c})
		}
		markSparser(all)
	}
	if s.grid == nil {
		return all
	}
	var windows []Option
	for _, size := range s.sizes {
		at, edges := s.grid.Densest(size)
		windows = append(windows, Option{Rule: s.name(Rabbit, size), interval: &at,
			Candidate: Candidate{Vertices: at.Count, Linked: at.Count, Entries: edges, Cells: edges}})
	}
	markSparser(windows)
	return append(all, windows...)
}

// name is the rule that asks for so many vertices.
func (s *Survey) name(kind Kind, size uint64) string {
	for _, share := range Shares {
		if Sizes(s.vertices, share)[0] == size {
			return fmt.Sprintf("%s:%g%%", kind, 100*share)
		}
	}
	return fmt.Sprintf("%s:%d", kind, size)
}

// markSparser compares each with those before it, which have more vertices.
func markSparser(options []Option) {
	densest := 0.0
	for i, o := range options {
		options[i].Sparser = o.Density() < densest
		densest = max(densest, o.Density())
	}
}

// Set is the vertices of an option.
func (s *Survey) Set(o Option) Set {
	if o.interval != nil {
		return Window(s.vertices, *o.interval)
	}
	return Top(s.rank, o.Vertices)
}
