package measure

import (
	"fmt"
	"strings"
	"time"
)

// Options of a series. Graphs and Kernels are names that GraphNames and KernelNames know.
type Options struct {
	Graphs, Kernels []string
	Runs, Threads   int
	Limit           time.Duration // of all rounds of a kernel: after it no further round begins
	GAPBS           string        // directory of its programs; empty: without
	Kuzu            string        // directory of module bench/kuzu's sources; empty: without
	Grid            string        // directory of GridGraph's programs; empty: without
	GridMemory      uint64        // what GridGraph's limited programs are told; 0: four fifths of the limit in GiB
	Data            string        // folder with real graphs
	Penstock        string        // the program that whole processes run; empty: found or built
	Command         string        // what the user typed, for the report
	Streamed        bool          // by Penstock alone: graphs may be directed, and are in many chunks
	// Progress hears of each step; nil: nobody does.
	Progress func(step string)
}

// Defaults of a series.
const (
	DefaultRuns  = 5
	DefaultLimit = 30 * time.Second
)

// OptionError is an option that asks for what cannot be measured, and what could be.
type OptionError struct{ Option, Found, Want string }

func (e *OptionError) Error() string {
	return fmt.Sprintf("bench: there is no %s %s; %s", e.Option, e.Found, e.Want)
}

func Known(names []string) string { return "known are " + strings.Join(names, ", ") }

func (o Options) Step(format string, args ...any) {
	if o.Progress != nil {
		o.Progress(fmt.Sprintf(format, args...))
	}
}
