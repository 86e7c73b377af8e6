package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/host"
)

const demoGraph = "karate"

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Store a sample graph, analyse it in place, and look at the result",
		Long: `Store Zachary's karate club, run PageRank and connected components on it in the CPU
plugin's process, write the ranks back as a property and show the ten highest. The
database is temporary unless --db names one to keep.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.dir != "" {
				return a.demo(cmd.Context(), a.dir)
			}
			temp, err := os.MkdirTemp("", "penstock-demo-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(temp)
			return a.demo(cmd.Context(), filepath.Join(temp, "db"))
		},
	}
}

func (a *app) demo(ctx context.Context, dir string) error {
	db, err := penstock.Open(dir)
	if err != nil {
		return err
	}
	defer db.Close()
	manifest, err := db.LoadSource(ctx, demoGraph, karateSource{}, penstock.LoadOptions{Replace: true})
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "Stored Zachary's karate club: %d members, %d friendships.\n", manifest.Vertices, manifest.Edges)
	if err := a.demoComponents(ctx, db); err != nil {
		return err
	}
	if err := a.demoPageRank(ctx, db); err != nil {
		return err
	}
	a.demoNext()
	return nil
}

func (a *app) demoComponents(ctx context.Context, db *penstock.DB) error {
	components, err := db.Run(ctx, demoGraph, host.Request{Algorithm: "wcc"}, host.Events{})
	if err != nil {
		return err
	}
	defer components.Close()
	for _, figure := range components.Figures() {
		fmt.Fprintf(a.stdout, "wcc: %s: %d, found in the plugin process %s %s.\n",
			figure.Name, figure.Value, components.Report.Plugin.Name, components.Report.Plugin.Version)
	}
	return nil
}

func (a *app) demoPageRank(ctx context.Context, db *penstock.DB) error {
	ranks, err := db.Run(ctx, demoGraph, host.Request{Algorithm: "pagerank"}, host.Events{})
	if err != nil {
		return err
	}
	defer ranks.Close()
	written, err := ranks.Write(ctx, "rank")
	if err != nil {
		return err
	}
	top, err := ranks.Top(ctx, 10)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "pagerank: converged after %d iterations; written back as property rank, snapshot %d.\n\n",
		ranks.Report.Iterations, written.ID)
	a.printRanked(ranks.Columns[0], top)
	fmt.Fprintln(a.stdout, "\nMember 34 is the club's officer, member 1 its instructor: the two who later split it.")
	return nil
}

func (a *app) demoNext() {
	fmt.Fprint(a.stdout, `
Next, with a graph of your own (an edge list, CSV, Matrix Market, Parquet …):
  penstock load --db ./db mygraph edges.txt
  penstock run  --db ./db --graph mygraph pagerank --top 10
  penstock run  --db ./db --graph mygraph wcc --write component
  penstock algorithms
`)
}

// karateSource streams the karate club as an undirected graph.
type karateSource struct{}

func (karateSource) Schema() formats.Schema {
	return formats.Schema{Orientation: formats.Undirected, NodesDeclared: true, IntegerIDs: true, Vertices: karateMembers, Edges: -1}
}

func (karateSource) Nodes(_ context.Context, yield func(*formats.NodeBatch) error) error {
	nodes := formats.NodeBatch{Where: karateWhere}
	for member := int64(1); member <= karateMembers; member++ {
		nodes.ID.AppendInt(member)
	}
	return yield(&nodes)
}

func (karateSource) Edges(_ context.Context, yield func(*formats.EdgeBatch) error) error {
	edges := formats.EdgeBatch{Where: karateWhere}
	for member := int64(1); member <= karateMembers; member++ {
		for _, friend := range karate[member] {
			edges.Src.AppendInt(member)
			edges.Dst.AppendInt(friend)
		}
	}
	return yield(&edges)
}

func (karateSource) Close() error { return nil }

func karateWhere(int) formats.Position { return formats.Position{File: "karate.go"} }
