package bench

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// Defaults of OutOfCore. What cannot be limited gets spare as its budget, for the arena.
const (
	DefaultMemory = 80 << 20
	spare         = 64 << 20
)

// OutOfCore measures whole processes, each with all its children held to so many bytes, page
// cache included, by a control group; they begin with nothing of their files in memory. Where
// no group can be made, only the arena is held to 64 MiB, which the report says.
//
// A penstock process gives the device an eighth of the limit beside what it needs at the
// least, for two programs take their share of the rest; GridGraph is told four fifths of the limit, beyond which
// it reads without the cache, but takes no less than a GiB.
func OutOfCore(ctx context.Context, memory uint64, o Options) (*Report, error) {
	if len(o.Kernels) == 0 {
		o.Kernels = []string{"pagerank", "wcc", "bfs"}
	}
	o.GAPBS, o.Kuzu = "", ""
	if err := o.check(); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(o.chosen(), func(k kernel) bool { return k.grid == nil }); i >= 0 {
		return nil, &OptionError{"GridGraph program for", strconv.Quote(o.chosen()[i].algorithm), "known are pagerank, wcc, bfs"}
	}
	dir, err := os.MkdirTemp("", "penstock-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if o, err = o.findPrograms(ctx, dir); err != nil {
		return nil, err
	}
	l := &limits{memory: memory, programs: filepath.Join(dir, "bin"), longest: o.Limit}
	if err := l.copyPrograms(o); err != nil {
		return nil, err
	}
	return l.measure(ctx, dir, o)
}

func (l *limits) measure(ctx context.Context, dir string, o Options) (*Report, error) {
	report := &Report{Setting: newSetting(o), Limit: l.try(), Memory: l.memory}
	for _, name := range o.Graphs {
		g, err := prepare(ctx, dir, name, o.weights(), o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		measured, err := l.rows(ctx, g, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		report.Graphs = append(report.Graphs, *measured)
		os.RemoveAll(g.dir)
	}
	report.LoadAfter = loadAverage()
	return report, nil
}

func (l *limits) rows(ctx context.Context, g *graph, o Options) (*Graph, error) {
	if o.Grid != "" {
		if err := g.preprocess(ctx, o); err != nil {
			return nil, err
		}
	}
	measured := &Graph{Name: g.name, Vertices: g.vertices, Edges: g.edges, Bytes: g.bytes}
	for _, k := range o.chosen() {
		k = k.longer()
		o.step("%s: %s", g.name, k.title())
		if err := g.compare(ctx, k, nil, o); err != nil {
			return nil, err
		}
		all, err := l.contenders(ctx, g, k, o)
		if err != nil {
			return nil, err
		}
		found, err := rounds(ctx, all, o.Runs, o.Limit)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.title(), err)
		}
		measured.Kernels = append(measured.Kernels, Row{k.title(), found})
	}
	return measured, nil
}

// longer is k with as many iterations as GridGraph's paper gives PageRank.
func (k kernel) longer() kernel {
	if k.algorithm == "pagerank" {
		k.params, k.grid = maps.Clone(k.params), []string{"pagerank", "20"}
		k.params["iterations"] = "20"
	}
	return k
}

func (l *limits) contenders(ctx context.Context, g *graph, k kernel, o Options) ([]contender, error) {
	budget, err := l.deviceMemory(ctx, g, k, o)
	if err != nil {
		return nil, err
	}
	args := append(g.runArgs(k, o), "--explain", "--device-memory", strconv.FormatUint(budget, 10))
	all := []contender{l.contender(g, limitedProcess, "penstock", args)}
	if o.Grid != "" {
		told := strconv.FormatUint(l.gridMemory(), 10)
		all = append(all, l.contender(g, limitedGrid, k.grid[0], append(g.gridArgs(k), told)))
	}
	return all, nil
}
