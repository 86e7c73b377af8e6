// Package kernels measures kernels, loading and reading beside the programs of the peers.
package kernels

import (
	"context"
	"fmt"
	"os"

	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/programs"
	"github.com/penstock-db/penstock/internal/bench/internal/results"
)

// Run measures and compares. It keeps its files in a temporary folder, and removes them.
//
// Errors: *OptionError, *ProcessError, *DisagreementError, and those of store and host.
func Run(ctx context.Context, o measure.Options) (*results.Report, error) {
	if err := kernel.Check(o); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "penstock-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if o, err = programs.FindPrograms(ctx, o, dir); err != nil {
		return nil, err
	}
	report := &results.Report{Setting: measure.NewSetting(o)}
	for _, name := range o.Graphs {
		measured, err := onGraph(ctx, dir, name, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		report.Graphs = append(report.Graphs, *measured)
	}
	report.LoadAfter = measure.LoadAverage()
	return report, nil
}

// onGraph prepares one graph, measures everything on it, and removes it.
func onGraph(ctx context.Context, dir, name string, o measure.Options) (*results.Graph, error) {
	g, err := graphs.Prepare(ctx, dir, name, kernel.Weights(o), o)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(g.Dir)
	if o.GAPBS != "" {
		if err := convert(ctx, g, o); err != nil {
			return nil, err
		}
	}
	if o.Grid != "" {
		if err := Preprocess(ctx, g, o); err != nil {
			return nil, err
		}
	}
	var q *programs.Kuzu
	if o.Kuzu != "" {
		if q, err = startKuzu(ctx, g, o); err != nil {
			return nil, err
		}
		defer q.Close()
	}
	return rows(ctx, g, q, o)
}

func rows(ctx context.Context, g *graphs.Graph, q *programs.Kuzu, o measure.Options) (*results.Graph, error) {
	measured := &results.Graph{Name: g.Name, Vertices: g.Vertices, Edges: g.Edges, Bytes: g.Bytes}
	for _, k := range kernel.Chosen(o) {
		o.Step("%s: %s", g.Name, k.Title())
		if err := Compare(ctx, g, k, q, o); err != nil {
			return nil, err
		}
		found, err := measure.Rounds(ctx, contenders(g, k, q, o), o.Runs, o.Limit)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Title(), err)
		}
		measured.Kernels = append(measured.Kernels, results.Row{Name: k.Title(), Ways: found})
	}
	moved, err := storage(ctx, g, o)
	measured.Data = append([]results.Row{{Name: measure.Loading, Ways: g.Loading}}, moved...)
	return measured, err
}
