package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// The GAP Benchmark Suite: Beamer, Asanović, Patterson, "The GAP Benchmark Suite", 2015.
// https://github.com/sbeamer/gapbs

// gapbsCommand is a program of GAPBS with our number of threads.
func (o Options) gapbsCommand(ctx context.Context, program string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, filepath.Join(o.GAPBS, program), args...)
	c.Env = append(os.Environ(), fmt.Sprintf("OMP_NUM_THREADS=%d", o.Threads))
	return c
}

// convert writes the graph as GAPBS serializes it.
func (g *graph) convert(ctx context.Context, o Options) error {
	o.step("%s: convert for GAPBS", g.name)
	args := []string{"-f", g.file(edgeList), "-s", "-b", g.file(serialized)}
	_, wall, err := output(ctx, o.gapbsCommand(ctx, "converter", args...))
	if err != nil {
		return err
	}
	g.loading = g.loading.add(sample{way: gapbsConverter, seconds: wall, command: g.shown("converter", args...)})
	if g.weights {
		_, _, err = output(ctx, o.gapbsCommand(ctx, "converter", "-f", g.file(weightedEdgeList), "-s", "-w", "-b", g.file(weightedSerialized)))
	}
	return err
}

// gapbsFlags are k's, with a delta that suits the graph.
func (g *graph) gapbsFlags(k kernel) []string {
	if !k.weighted {
		return k.gapbs.flags
	}
	return append(slices.Clone(k.gapbs.flags), "-d", strconv.Itoa(g.delta))
}

var trialTime = regexp.MustCompile(`Average Time:\s+([0-9.]+)`)

// gapbsFigure runs k once for its result.
func (g *graph) gapbsFigure(ctx context.Context, k kernel, o Options) (float64, error) {
	flags := g.gapbsFlags(k)
	if k.gapbs.check != nil {
		flags = k.gapbs.check
	}
	text, _, err := output(ctx, o.gapbsCommand(ctx, k.gapbs.program, append([]string{"-f", g.file(k.serialized()), "-n", "1", "-a"}, flags...)...))
	if err != nil {
		return 0, err
	}
	return readFigure(regexp.MustCompile(k.gapbs.pattern), text)
}

// runGAPBS does one trial of k: the process and, of that, the kernel as GAPBS tells.
func (g *graph) runGAPBS(ctx context.Context, k kernel, o Options) ([]sample, error) {
	args := append([]string{"-f", g.file(k.serialized()), "-n", "1"}, g.gapbsFlags(k)...)
	text, wall, err := output(ctx, o.gapbsCommand(ctx, k.gapbs.program, args...))
	if err != nil {
		return nil, err
	}
	seconds, err := readFigure(trialTime, text)
	command := fmt.Sprintf("OMP_NUM_THREADS=%d %s", o.Threads, g.shown(k.gapbs.program, args...))
	return []sample{{way: gapbsKernels, seconds: seconds, command: command}, {way: gapbsProcess, seconds: wall, command: command}}, err
}
