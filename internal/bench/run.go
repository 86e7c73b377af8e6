package bench

import (
	"context"
	"fmt"
	"os"
)

// Run measures and compares. It keeps its files in a temporary folder, and removes them.
//
// Errors: *OptionError, *ProcessError, *DisagreementError, and those of store and host.
func Run(ctx context.Context, o Options) (*Report, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "penstock-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if o, err = o.findPrograms(ctx, dir); err != nil {
		return nil, err
	}
	report := &Report{Setting: newSetting(o)}
	for _, name := range o.Graphs {
		measured, err := onGraph(ctx, dir, name, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		report.Graphs = append(report.Graphs, *measured)
	}
	report.LoadAfter = loadAverage()
	return report, nil
}

// onGraph prepares one graph, measures everything on it, and removes it.
func onGraph(ctx context.Context, dir, name string, o Options) (*Graph, error) {
	g, err := prepare(ctx, dir, name, o.weights(), o)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(g.dir)
	if o.GAPBS != "" {
		if err := g.convert(ctx, o); err != nil {
			return nil, err
		}
	}
	if o.Grid != "" {
		if err := g.preprocess(ctx, o); err != nil {
			return nil, err
		}
	}
	var q *kuzu
	if o.Kuzu != "" {
		if q, err = g.startKuzu(ctx, o); err != nil {
			return nil, err
		}
		defer q.close()
	}
	return g.rows(ctx, q, o)
}

func (g *graph) rows(ctx context.Context, q *kuzu, o Options) (*Graph, error) {
	measured := &Graph{Name: g.name, Vertices: g.vertices, Edges: g.edges, Bytes: g.bytes}
	for _, k := range o.chosen() {
		o.step("%s: %s", g.name, k.title())
		if err := g.compare(ctx, k, q, o); err != nil {
			return nil, err
		}
		found, err := rounds(ctx, g.contenders(k, q, o), o.Runs, o.Limit)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.title(), err)
		}
		measured.Kernels = append(measured.Kernels, Row{k.title(), found})
	}
	moved, err := g.storage(ctx, o)
	measured.Data = append([]Row{{loading, g.loading}}, moved...)
	return measured, err
}
