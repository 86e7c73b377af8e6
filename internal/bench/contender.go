package bench

import "context"

// A way is who computes, and what of it is timed.
const (
	inProcess    = "in process"          // our kernels, called directly
	inPlugin     = "plugin"              // our kernels, in the plugin's process, as it tells
	wholeProcess = "whole process"       // penstock run: open, stream, compute, tell
	openDatabase = "open database"       // a run on a database that is open, after another on the graph
	gapbsKernels = "GAPBS kernel"        // as GAPBS tells
	gapbsProcess = "GAPBS whole process" // reading its own serialized graph
	kuzuQuery    = "Kuzu query"          // of a graph already loaded and projected
	gridProcess  = "GridGraph process"   // reading its own grid
)

// ways in the order in which they are drawn.
var ways = []string{inProcess, inPlugin, openDatabase, wholeProcess, gapbsKernels, gapbsProcess, kuzuQuery, gridProcess, limitedProcess, limitedGrid}

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

// contenders are those who have k, in the order in which they take turns.
func (g *graph) contenders(k kernel, q *kuzu, o Options) []contender {
	all := []contender{
		func(ctx context.Context) ([]sample, error) { return g.inProcess(ctx, k, o) },
		func(ctx context.Context) ([]sample, error) { return g.wholeProcess(ctx, k, o) },
	}
	if o.GAPBS != "" && k.gapbs != nil {
		all = append(all, func(ctx context.Context) ([]sample, error) { return g.runGAPBS(ctx, k, o) })
	}
	if q != nil && k.kuzu != "" {
		all = append(all, func(ctx context.Context) ([]sample, error) { return g.openDatabase(ctx, k, o) },
			func(ctx context.Context) ([]sample, error) { return q.run(ctx, k.kuzu) })
	}
	if o.Grid != "" && k.grid != nil {
		all = append(all, func(ctx context.Context) ([]sample, error) { return g.runGrid(ctx, k, o) })
	}
	return all
}
