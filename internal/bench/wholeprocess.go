package bench

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// wholeProcess runs k from the command line: all of it and, of that, its plugin's kernels.
func (g *graph) wholeProcess(ctx context.Context, k kernel, o Options) ([]sample, error) {
	args := g.runArgs(k, o)
	text, wall, err := o.penstockText(ctx, args...)
	if err != nil {
		return nil, err
	}
	compute, err := computing(text)
	command := g.shown("penstock", args...)
	return []sample{{way: inPlugin, seconds: compute, command: command}, {way: wholeProcess, seconds: wall, command: command}}, err
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

func (g *graph) runArgs(k kernel, o Options) []string {
	args := []string{"run", k.algorithm, "--graph", k.graph(), "--db", g.file(database), "--threads", strconv.Itoa(o.Threads), "--top=1"}
	for _, name := range slices.Sorted(maps.Keys(k.params)) {
		args = append(args, "--param", name+"="+k.params[name])
	}
	return args
}
