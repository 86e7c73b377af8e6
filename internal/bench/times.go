package bench

import (
	"context"
	"slices"
	"time"
)

// timing is what one way took for one thing, and by which command.
type timing struct {
	Name    string    `json:"name"`
	Command string    `json:"command,omitempty"`
	Seconds []float64 `json:"seconds"`
	// Stopped: a round was ended when it had taken so long as the last of Seconds.
	Stopped bool `json:"stopped,omitempty"`
	taken        // at most
}

func (t timing) measured() bool { return len(t.Seconds) > 0 }

func (t timing) median() float64 {
	sorted := slices.Sorted(slices.Values(t.Seconds))
	return sorted[len(sorted)/2]
}

// timings of several ways.
type timings []timing

// of a way; the zero timing when it was not measured.
func (all timings) of(way string) timing {
	for _, t := range all {
		if t.Name == way {
			return t
		}
	}
	return timing{}
}

func (all timings) add(s sample) timings {
	for i, t := range all {
		if t.Name == s.way {
			all[i].Seconds, all[i].Stopped = append(t.Seconds, s.seconds), t.Stopped || s.stopped
			all[i].taken = t.most(s.taken)
			return all
		}
	}
	return append(all, timing{s.way, s.command, []float64{s.seconds}, s.stopped, s.taken})
}

// rounds lets everybody run once in each round, so that other work on the machine meets all
// alike. After limit no further round begins.
func rounds(ctx context.Context, all []contender, runs int, limit time.Duration) (found timings, err error) {
	started := time.Now()
	for round := 0; round < runs && (round == 0 || time.Since(started) < limit); round++ {
		for _, contend := range all {
			samples, err := contend(ctx)
			if err != nil {
				return nil, err
			}
			for _, s := range samples {
				found = found.add(s)
			}
		}
	}
	return found, nil
}
