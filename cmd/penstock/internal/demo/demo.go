// Package demo has the command that shows a first user what Penstock does.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/compute"
	"github.com/penstock-db/penstock/cmd/penstock/internal/graphs"
	"github.com/penstock-db/penstock/cmd/penstock/internal/statement"
	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

const demoGraph = "karate"

// Demo is penstock demo.
type Demo struct{}

func (*Demo) Describe() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Store a sample graph, analyze it in place, and look at the result",
		Long: `Store Zachary's karate club, run PageRank and connected components on it in the CPU
plugin's process, write the ranks back as a property and show the ten highest. The
database is temporary unless --db names one to keep.`,
		Args: cobra.NoArgs,
	}
}

func (*Demo) Run(ctx context.Context, a *app.App, _ []string) error {
	dir := a.Dir
	if dir == "" {
		temp, err := os.MkdirTemp("", "penstock-demo-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(temp)
		dir = filepath.Join(temp, "db")
	}
	found, err := demonstrate(ctx, dir)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(found)
	}
	found.print(a.Out)
	return nil
}

// report is what the demo has found out.
type report struct {
	graphs.Summary
	Components host.Report       `json:"wcc"`
	Figures    map[string]int64  `json:"figures"`
	PageRank   host.Report       `json:"pagerank"`
	Property   string            `json:"property"`
	Written    uint64            `json:"written_snapshot"`
	Top        []instance.Ranked `json:"top"`
	Query      string            `json:"query"`
	Rows       [][]value.Value   `json:"rows"`
	Columns    []string          `json:"columns"`
	column     algorithms.Values
}

// demonstrate stores the graph, computes on it twice, and writes back.
func demonstrate(ctx context.Context, dir string) (*report, error) {
	db, err := instance.Open(dir)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	manifest, err := db.LoadSource(ctx, demoGraph, karateSource{}, instance.LoadOptions{Replace: true})
	if err != nil {
		return nil, err
	}
	found := &report{Summary: graphs.SummaryOf(manifest), Property: "rank"}
	return found, errors.Join(found.components(ctx, db), found.pagerank(ctx, db), found.query(ctx, db))
}

func (r *report) components(ctx context.Context, db *instance.DB) error {
	components, err := db.Run(ctx, demoGraph, host.Request{Algorithm: "wcc"}, host.Events{})
	if err != nil {
		return err
	}
	defer components.Close()
	r.Components, r.Figures = components.Report, compute.Figures(components)
	return nil
}

func (r *report) pagerank(ctx context.Context, db *instance.DB) error {
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

func (r *report) query(ctx context.Context, db *instance.DB) error {
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

func (r *report) print(w io.Writer) {
	fmt.Fprintf(w, "Stored Zachary's karate club: %d members, %d friendships.\n", r.Vertices, r.Edges)
	for name, figure := range r.Figures {
		fmt.Fprintf(w, "wcc: %s: %d, found in the plugin process %s %s.\n",
			name, figure, r.Components.Plugin.Name, r.Components.Plugin.Version)
	}
	fmt.Fprintf(w, "pagerank: converged after %d iterations; written back as property %s, snapshot %d.\n\n",
		r.PageRank.Iterations, r.Property, r.Written)
	compute.PrintRanked(w, r.column, r.Top)
	fmt.Fprintln(w, "\nMember 34 is the club's officer, member 1 its instructor: the two who later split it.")
	fmt.Fprintf(w, "Their common friends, by a query over the ranks:\n\n%s\n\n", r.Query)
	statement.PrintRows(w, r.Columns, r.Rows)
	printNext(w)
}

func printNext(w io.Writer) {
	fmt.Fprint(w, `
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
	return formats.Schema{Orientation: formats.Undirected, NodesDeclared: true, IntegerIDs: true, Vertices: karateMembers,
		Edges: -1}
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
