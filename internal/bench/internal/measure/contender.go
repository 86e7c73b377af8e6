// Package measure measures contenders by turns: options and setting of a series, contenders and their
// samples, interleaved rounds, medians and ratios, and the tables and drawings that show them.
package measure

import "context"

// Sample is one time of one way, and the command that gave it; empty: this process.
type Sample struct {
	Way     string
	Seconds float64
	Command string
	Stopped bool // it would have taken longer
	Taken
}

// Contender runs a kernel once; a process gives a sample for its kernel and one for all of it.
type Contender func(ctx context.Context) ([]Sample, error)
