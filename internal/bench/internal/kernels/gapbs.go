package kernels

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
)

// The GAP Benchmark Suite: Beamer, Asanović, Patterson, "The GAP Benchmark Suite", 2015.
// https://github.com/sbeamer/gapbs

// gapbsCommand is a program of GAPBS with our number of threads.
func gapbsCommand(ctx context.Context, o measure.Options, program string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, filepath.Join(o.GAPBS, program), args...)
	c.Env = append(os.Environ(), fmt.Sprintf("OMP_NUM_THREADS=%d", o.Threads))
	return c
}

// convert writes the graph as GAPBS serializes it.
func convert(ctx context.Context, g *graphs.Graph, o measure.Options) error {
	o.Step("%s: convert for GAPBS", g.Name)
	args := []string{"-f", g.File(graphs.EdgeList), "-s", "-b", g.File(graphs.Serialized)}
	_, wall, err := programs.Output(ctx, gapbsCommand(ctx, o, "converter", args...))
	if err != nil {
		return err
	}
	g.Loading = g.Loading.Add(measure.Sample{Way: measure.GapbsConverter, Seconds: wall,
		Command: g.Shown("converter", args...)})
	if g.Weights {
		_, _, err = programs.Output(ctx, gapbsCommand(ctx, o, "converter", "-f", g.File(graphs.WeightedEdgeList), "-s", "-w",
			"-b", g.File(graphs.WeightedSerialized)))
	}
	return err
}

// gapbsFlags are k's, with a delta that suits the graph.
func gapbsFlags(g *graphs.Graph, k kernel.Kernel) []string {
	if !k.Weighted {
		return k.Gapbs.Flags
	}
	return append(slices.Clone(k.Gapbs.Flags), "-d", strconv.Itoa(g.Delta))
}

var trialTime = regexp.MustCompile(`Average Time:\s+([0-9.]+)`)

// gapbsFigure runs k once for its result.
func gapbsFigure(ctx context.Context, g *graphs.Graph, k kernel.Kernel, o measure.Options) (float64, error) {
	flags := gapbsFlags(g, k)
	if k.Gapbs.Check != nil {
		flags = k.Gapbs.Check
	}
	text, _, err := programs.Output(ctx, gapbsCommand(ctx, o, k.Gapbs.Program,
		append([]string{"-f", g.File(k.Serialized()), "-n", "1", "-a"}, flags...)...))
	if err != nil {
		return 0, err
	}
	return kernel.ReadFigure(regexp.MustCompile(k.Gapbs.Pattern), text)
}

// runGAPBS does one trial of k: the process and, of that, the kernel as GAPBS tells.
func runGAPBS(ctx context.Context, g *graphs.Graph, k kernel.Kernel, o measure.Options) ([]measure.Sample, error) {
	args := append([]string{"-f", g.File(k.Serialized()), "-n", "1"}, gapbsFlags(g, k)...)
	text, wall, err := programs.Output(ctx, gapbsCommand(ctx, o, k.Gapbs.Program, args...))
	if err != nil {
		return nil, err
	}
	seconds, err := kernel.ReadFigure(trialTime, text)
	command := fmt.Sprintf("OMP_NUM_THREADS=%d %s", o.Threads, g.Shown(k.Gapbs.Program, args...))
	return []measure.Sample{{Way: measure.GapbsKernels, Seconds: seconds, Command: command},
		{Way: measure.GapbsProcess, Seconds: wall, Command: command}}, err
}
