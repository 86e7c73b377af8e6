package kernels

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
)

// wholeProcess runs k from the command line: all of it and, of that, its plugin's kernels.
func wholeProcess(ctx context.Context, g *graphs.Graph, k kernel.Kernel, o measure.Options) ([]measure.Sample, error) {
	args := RunArgs(g, k, o)
	text, wall, err := programs.PenstockText(ctx, o, args...)
	if err != nil {
		return nil, err
	}
	compute, err := computing(text)
	command := g.Shown("penstock", args...)
	return []measure.Sample{{Way: measure.InPlugin, Seconds: compute, Command: command},
		{Way: measure.WholeProcess, Seconds: wall, Command: command}}, err
}

var computed = regexp.MustCompile(`, (\S+) computing,`)

// computing is how many seconds of a run were, by what it printed, in kernels.
func computing(text []byte) (float64, error) {
	found := computed.FindSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("bench: penstock run does not say how long it computed: %q", text)
	}
	compute, err := time.ParseDuration(string(found[1]))
	return compute.Seconds(), err
}

func RunArgs(g *graphs.Graph, k kernel.Kernel, o measure.Options) []string {
	args := []string{"run", k.Algorithm, "--graph", k.Graph(), "--db", g.File(graphs.Database), "--threads",
		strconv.Itoa(o.Threads), "--top=1"}
	for _, name := range slices.Sorted(maps.Keys(k.Params)) {
		args = append(args, "--param", name+"="+k.Params[name])
	}
	return args
}
