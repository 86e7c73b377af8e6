package kernels

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
)

// GridGraph: Zhu, Han and Chen, "GridGraph: Large-Scale Graph Processing on a Single Machine
// Using 2-Level Hierarchical Partitioning", 2015. https://github.com/thu-pacman/GridGraph
// It takes every core, whatever --threads says, and a grid of 4×4 for graphs of this size.

func Preprocess(ctx context.Context, g *graphs.Graph, o measure.Options) error {
	o.Step("%s: preprocess for GridGraph", g.Name)
	args := []string{"-i", g.File(graphs.Pairs), "-o", g.File(graphs.Grid), "-v", strconv.FormatUint(g.Vertices, 10), "-p",
		"4", "-t", "0"}
	_, wall, err := programs.Output(ctx, exec.CommandContext(ctx, filepath.Join(o.Grid, "bin/preprocess"), args...))
	g.Loading = g.Loading.Add(measure.Sample{Way: measure.GridPreprocess, Seconds: wall,
		Command: g.Shown("preprocess", args...)})
	return err
}

// gridFigures find what a program of GridGraph tells of its result; PageRank tells nothing.
var gridFigures = map[string]*regexp.Regexp{
	"bfs": regexp.MustCompile(`discovered (\d+) vertices`),
	"wcc": regexp.MustCompile(`(\d+) components`),
}

// runGrid runs k once: the process, for GridGraph rounds the seconds that it tells.
func runGrid(ctx context.Context, g *graphs.Graph, k kernel.Kernel, o measure.Options) ([]measure.Sample, error) {
	command := gridCommand(ctx, g, k, o)
	_, wall, err := programs.Output(ctx, command)
	return []measure.Sample{{Way: measure.GridProcess, Seconds: wall,
		Command: g.Shown(command.Path, command.Args[1:]...)}}, err
}

// gridCommand runs k with as much memory as it likes.
func gridCommand(ctx context.Context, g *graphs.Graph, k kernel.Kernel, o measure.Options) *exec.Cmd {
	return exec.CommandContext(ctx, filepath.Join(o.Grid, "bin", k.Grid[0]), GridArgs(g, k)...)
}

// GridArgs are those before the budget.
func GridArgs(g *graphs.Graph, k kernel.Kernel) []string {
	return append([]string{g.File(graphs.Grid)}, k.Grid[1:]...)
}

// gridAgrees compares what GridGraph finds with ours.
func gridAgrees(ctx context.Context, g *graphs.Graph, k kernel.Kernel, o measure.Options, ours float64) error {
	pattern := gridFigures[k.Grid[0]]
	if pattern == nil {
		return nil
	}
	text, _, err := programs.Output(ctx, gridCommand(ctx, g, k, o))
	if err != nil {
		return err
	}
	theirs, err := kernel.ReadFigure(pattern, text)
	if err != nil {
		return fmt.Errorf("GridGraph: %w", err)
	}
	return k.Agree("GridGraph", ours, theirs)
}
