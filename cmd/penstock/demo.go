package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/value"
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

// demoReport is what the demo has found out.
type demoReport struct {
	graphSummary
	Components host.Report       `json:"wcc"`
	Figures    map[string]int64  `json:"figures"`
	PageRank   host.Report       `json:"pagerank"`
	Property   string            `json:"property"`
	Written    uint64            `json:"written_snapshot"`
	Top        []penstock.Ranked `json:"top"`
	Query      string            `json:"query"`
	Rows       [][]value.Value   `json:"rows"`
	Columns    []string          `json:"columns"`
	column     algorithms.Values
}

func (a *app) demo(ctx context.Context, dir string) error {
	report, err := demonstrate(ctx, dir)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(report)
	}
	a.tell(report)
	return nil
}

// demonstrate stores the graph, computes on it twice, and writes back.
func demonstrate(ctx context.Context, dir string) (*demoReport, error) {
	db, err := penstock.Open(dir)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	manifest, err := db.LoadSource(ctx, demoGraph, karateSource{}, penstock.LoadOptions{Replace: true})
	if err != nil {
		return nil, err
	}
	report := &demoReport{graphSummary: summary(manifest, sizeOf(manifest)), Property: "rank"}
	return report, errors.Join(report.components(ctx, db), report.pagerank(ctx, db), report.query(ctx, db))
}

func (r *demoReport) components(ctx context.Context, db *penstock.DB) error {
	components, err := db.Run(ctx, demoGraph, host.Request{Algorithm: "wcc"}, host.Events{})
	if err != nil {
		return err
	}
	defer components.Close()
	r.Components, r.Figures = components.Report, figureMap(components.Figures())
	return nil
}

func (r *demoReport) pagerank(ctx context.Context, db *penstock.DB) error {
	ranks, err := db.Run(ctx, demoGraph, host.Request{Algorithm: "pagerank"}, host.Events{})
	if err != nil {
		return err
	}
	defer ranks.Close()
	written, err := ranks.Write(ctx, r.Property)
	if err != nil {
		return err
	}
	r.PageRank, r.Written, r.column = ranks.Report, written.ID, ranks.Columns[0]
	r.Top, err = ranks.Top(ctx, 10)
	return err
}

// demoQuery asks for whom the two who split the club have both as friends.
const demoQuery = `MATCH ({id: 1})-[]-(friend)-[]-({id: 34})
RETURN friend.id AS friend, round(friend.rank, 4) AS rank ORDER BY rank DESC`

func (r *demoReport) query(ctx context.Context, db *penstock.DB) error {
	result, err := db.Query(ctx, demoGraph, demoQuery, nil)
	if err != nil {
		return err
	}
	r.Query, r.Columns = demoQuery, result.Columns()
	for result.Next() {
		r.Rows = append(r.Rows, result.Row())
	}
	return result.Close()
}

func (a *app) tell(r *demoReport) {
	fmt.Fprintf(a.Out, "Stored Zachary's karate club: %d members, %d friendships.\n", r.Vertices, r.Edges)
	for name, figure := range r.Figures {
		fmt.Fprintf(a.Out, "wcc: %s: %d, found in the plugin process %s %s.\n",
			name, figure, r.Components.Plugin.Name, r.Components.Plugin.Version)
	}
	fmt.Fprintf(a.Out, "pagerank: converged after %d iterations; written back as property %s, snapshot %d.\n\n",
		r.PageRank.Iterations, r.Property, r.Written)
	a.printRanked(r.column, r.Top)
	fmt.Fprintln(a.Out, "\nMember 34 is the club's officer, member 1 its instructor: the two who later split it.")
	fmt.Fprintf(a.Out, "Their common friends, by a query over the ranks:\n\n%s\n\n", r.Query)
	a.printRows(r.Columns, r.Rows)
	a.demoNext()
}

func (a *app) demoNext() {
	fmt.Fprint(a.Out, `
Next, with a graph of your own (an edge list, CSV, Matrix Market, Parquet …):
  penstock load --db ./db mygraph edges.txt
  penstock run  --db ./db --graph mygraph pagerank --top 10
  penstock run  --db ./db --graph mygraph wcc --write component
  penstock query --db ./db --graph mygraph "MATCH (a)-->(b) RETURN b.id, count(*) AS n ORDER BY n DESC LIMIT 10"
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
