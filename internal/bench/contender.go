package bench

import "context"

// sample is one time of one way, and the command that gave it; empty: this process.
type sample struct {
	way     string
	seconds float64
	command string
	stopped bool // it would have taken longer
	taken
}

// contender runs a kernel once; a process gives a sample for its kernel and one for all of it.
type contender func(ctx context.Context) ([]sample, error)
