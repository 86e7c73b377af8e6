package bench

import (
	"fmt"
	"slices"
	"strconv"
)

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

// chosen are the kernels of a series ones, in the order of the table; by default those that a peer has.
func (o Options) chosen() []kernel {
	return slices.DeleteFunc(available(), func(k kernel) bool {
		if len(o.Kernels) == 0 {
			return k.gapbs == nil && k.kuzu == ""
		}
		return !slices.Contains(o.Kernels, k.algorithm)
	})
}

// weights says whether a chosen kernel reads them.
func (o Options) weights() bool {
	for _, k := range o.chosen() {
		if k.weighted {
			return true
		}
	}
	return false
}
