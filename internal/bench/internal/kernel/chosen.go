package kernel

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

func Check(o measure.Options) error {
	for _, name := range o.Graphs {
		in, err := graphs.LookupGraph(name)
		if err == nil && in.Directed && !o.Streamed {
			err = &measure.OptionError{Option: "undirected graph", Found: strconv.Quote(name),
				Want: measure.Known(graphs.GraphNames())}
		}
		if err == nil {
			err = in.Check(o.Data)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range o.Kernels {
		if !slices.Contains(KernelNames(), name) {
			return &measure.OptionError{Option: "kernel", Found: strconv.Quote(name), Want: measure.Known(KernelNames())}
		}
	}
	if o.Runs < 1 || o.Threads < 1 {
		return &measure.OptionError{Option: "series", Found: fmt.Sprintf("of %d runs with %d threads", o.Runs, o.Threads),
			Want: "there must be one of each at the least"}
	}
	return nil
}

// Chosen are the kernels of a series ones, in the order of the table; by default those that a peer has.
func Chosen(o measure.Options) []Kernel {
	return slices.DeleteFunc(available(), func(k Kernel) bool {
		if len(o.Kernels) == 0 {
			return k.Gapbs == nil && k.Kuzu == ""
		}
		return !slices.Contains(o.Kernels, k.Algorithm)
	})
}

// Weights says whether a chosen kernel reads them.
func Weights(o measure.Options) bool {
	for _, k := range Chosen(o) {
		if k.Weighted {
			return true
		}
	}
	return false
}
