package bench

import (
	"context"
	"slices"
	"time"
)

// times are seconds of each round.
type times []float64

func (t times) median() float64 {
	sorted := slices.Sorted(slices.Values(t))
	return sorted[len(sorted)/2]
}

// timing is what one way took for one thing, and by which command.
type timing struct {
	Name    string `json:"name"`
	Command string `json:"command,omitempty"`
	Seconds times  `json:"seconds"`
}

// timings of several ways.
type timings []timing

// of a way; nil: it was not measured.
func (all timings) of(way string) times {
	for _, t := range all {
		if t.Name == way {
			return t.Seconds
		}
	}
	return nil
}

func (all timings) add(s sample) timings {
	for i, t := range all {
		if t.Name == s.way {
			all[i].Seconds = append(t.Seconds, s.seconds)
			return all
		}
	}
	return append(all, timing{s.way, s.command, times{s.seconds}})
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
