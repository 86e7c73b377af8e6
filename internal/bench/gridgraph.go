package bench

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// GridGraph: Zhu, Han and Chen, "GridGraph: Large-Scale Graph Processing on a Single Machine
// Using 2-Level Hierarchical Partitioning", 2015. https://github.com/thu-pacman/GridGraph
// It takes every core, whatever --threads says, and a grid of 4×4 for graphs of this size.

func (g *graph) preprocess(ctx context.Context, o Options) error {
	o.step("%s: preprocess for GridGraph", g.name)
	args := []string{"-i", g.file(pairs), "-o", g.file(grid), "-v", strconv.FormatUint(g.vertices, 10), "-p", "4", "-t", "0"}
	_, wall, err := output(ctx, exec.CommandContext(ctx, filepath.Join(o.Grid, "bin/preprocess"), args...))
	g.loading = g.loading.add(sample{way: gridPreprocess, seconds: wall, command: g.shown("preprocess", args...)})
	return err
}

// gridFigures find what a program of GridGraph tells of its result; PageRank tells nothing.
var gridFigures = map[string]*regexp.Regexp{
	"bfs": regexp.MustCompile(`discovered (\d+) vertices`),
	"wcc": regexp.MustCompile(`(\d+) components`),
}

// runGrid runs k once: the process, for GridGraph rounds the seconds that it tells.
func (g *graph) runGrid(ctx context.Context, k kernel, o Options) ([]sample, error) {
	command := g.gridCommand(ctx, k, o)
	_, wall, err := output(ctx, command)
	return []sample{{way: gridProcess, seconds: wall, command: g.shown(command.Path, command.Args[1:]...)}}, err
}

// gridCommand runs k with as much memory as it likes.
func (g *graph) gridCommand(ctx context.Context, k kernel, o Options) *exec.Cmd {
	return exec.CommandContext(ctx, filepath.Join(o.Grid, "bin", k.grid[0]), g.gridArgs(k)...)
}

// gridArgs are those before the budget.
func (g *graph) gridArgs(k kernel) []string { return append([]string{g.file(grid)}, k.grid[1:]...) }

// gridAgrees compares what GridGraph finds with ours.
func (g *graph) gridAgrees(ctx context.Context, k kernel, o Options, ours float64) error {
	pattern := gridFigures[k.grid[0]]
	if pattern == nil {
		return nil
	}
	text, _, err := output(ctx, g.gridCommand(ctx, k, o))
	if err != nil {
		return err
	}
	theirs, err := readFigure(pattern, text)
	if err != nil {
		return fmt.Errorf("GridGraph: %w", err)
	}
	return k.agree("GridGraph", ours, theirs)
}
