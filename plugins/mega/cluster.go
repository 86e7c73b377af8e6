package mega

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// Cluster is what a run pretends to run on, so that what slack saves can be seen on one machine: workers sleep for as
// long as processors and links of such a cluster would keep them. Results are what they would be there; with slack 0
// they are those of a run that pretends nothing. The zero value pretends nothing.
//
// What a clock has changed travels while the next one is under way, if the slack lets that begin; what is pulled a
// worker waits for.
type Cluster struct {
	Edge      time.Duration // that an edge takes, at the least
	Straggler float64       // how many times as long one worker of each clock takes, drawn by Options.Seed; up to 1: none
	Latency   time.Duration // of what one worker sends to others
	Bandwidth float64       // bytes a second of each worker's link; 0: any number
}

// MaxFlights is how many clocks of a worker may be on their way at a time, where no slack says so.
const MaxFlights = 64

// MaxStraggler is how many times as long a straggler may take.
const MaxStraggler = 1000

func (c Cluster) check() (what, do string) {
	switch {
	case c.Edge < 0 || c.Latency < 0:
		return fmt.Sprintf("an edge of %v, and a latency of %v", c.Edge, c.Latency), "give times of at least 0"
	case !(c.Bandwidth >= 0):
		return fmt.Sprintf("a bandwidth of %v", c.Bandwidth), "give at least 0 bytes a second"
	case !(c.Straggler >= 0 && c.Straggler <= MaxStraggler):
		return fmt.Sprintf("a straggler %v times as slow", c.Straggler), fmt.Sprintf("give at most %d", MaxStraggler)
	}
	return "", ""
}

// linked says whether there is a network to be pretended.
func (c Cluster) linked() bool { return c.Latency > 0 || c.Bandwidth > 0 }

// straggler is the worker that is slow in a clock.
func straggler(seed uint64, clock, workers int) int {
	return rand.New(rand.NewPCG(^seed, uint64(clock))).IntN(workers)
}

// rest is how much longer than it has worked a clock of so many edges takes.
func (c Cluster) rest(worked time.Duration, edges uint64, slow bool) time.Duration {
	takes := max(worked, c.Edge*time.Duration(edges))
	if slow && c.Straggler > 1 {
		takes = time.Duration(float64(takes) * c.Straggler)
	}
	return takes - worked
}

// sending is how long a link is busy with so many bytes.
func (c Cluster) sending(bytes uint64) time.Duration {
	if c.Bandwidth == 0 {
		return 0
	}
	return time.Duration(float64(bytes) / c.Bandwidth * float64(time.Second))
}

// sleep ends early when ctx does, whose cause is then the error.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
