package measure

import (
	"context"
	"slices"
	"time"
)

// Timing is what one way took for one thing, and by which command.
type Timing struct {
	Name    string    `json:"name"`
	Command string    `json:"command,omitempty"`
	Seconds []float64 `json:"seconds"`
	// Stopped: a round was ended when it had taken so long as the last of Seconds.
	Stopped bool `json:"stopped,omitempty"`
	Taken        // at most
}

func (t Timing) Measured() bool { return len(t.Seconds) > 0 }

func (t Timing) Median() float64 {
	sorted := slices.Sorted(slices.Values(t.Seconds))
	return sorted[len(sorted)/2]
}

// Timings of several ways.
type Timings []Timing

// Of a way; the zero timing when it was not measured.
func (all Timings) Of(way string) Timing {
	for _, t := range all {
		if t.Name == way {
			return t
		}
	}
	return Timing{}
}

func (all Timings) Add(s Sample) Timings {
	for i, t := range all {
		if t.Name == s.Way {
			all[i].Seconds, all[i].Stopped = append(t.Seconds, s.Seconds), t.Stopped || s.Stopped
			all[i].Taken = t.most(s.Taken)
			return all
		}
	}
	return append(all, Timing{s.Way, s.Command, []float64{s.Seconds}, s.Stopped, s.Taken})
}

// Rounds lets everybody run once in each round, so that other work on the machine meets all
// alike. After limit no further round begins.
func Rounds(ctx context.Context, all []Contender, runs int, limit time.Duration) (found Timings, err error) {
	started := time.Now()
	for round := 0; round < runs && (round == 0 || time.Since(started) < limit); round++ {
		for _, contend := range all {
			samples, err := contend(ctx)
			if err != nil {
				return nil, err
			}
			for _, s := range samples {
				found = found.Add(s)
			}
		}
	}
	return found, nil
}
