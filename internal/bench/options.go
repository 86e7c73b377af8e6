package bench

import (
	"fmt"
	"slices"
	"strconv"
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
	Data            string        // folder with real graphs
	Penstock        string        // the program that whole processes run; empty: found or built
	Command         string        // what the user typed, for the report
	streamed        bool          // by Penstock alone: graphs may be directed, and are in many chunks
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

func known(names []string) string { return "known are " + strings.Join(names, ", ") }

func (o Options) check() error {
	for _, name := range o.Graphs {
		in, err := lookupGraph(name)
		if err == nil && in.directed && !o.streamed {
			err = &OptionError{"undirected graph", strconv.Quote(name), known(GraphNames())}
		}
		if err == nil {
			err = in.check(o.Data)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range o.Kernels {
		if !slices.Contains(KernelNames(), name) {
			return &OptionError{"kernel", strconv.Quote(name), known(KernelNames())}
		}
	}
	if o.Runs < 1 || o.Threads < 1 {
		return &OptionError{"series", fmt.Sprintf("of %d runs with %d threads", o.Runs, o.Threads), "there must be one of each at the least"}
	}
	return nil
}

func (o Options) step(format string, args ...any) {
	if o.Progress != nil {
		o.Progress(fmt.Sprintf(format, args...))
	}
}

// kernels are the chosen ones, in the order of the table; by default those that a peer has.
func (o Options) kernels() []kernel {
	return slices.DeleteFunc(available(), func(k kernel) bool {
		if len(o.Kernels) == 0 {
			return k.gapbs == nil && k.kuzu == ""
		}
		return !slices.Contains(o.Kernels, k.algorithm)
	})
}
