package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/store"
)

func (a *app) graphsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "graphs",
		Short: "List the graphs of a database",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.withDB(penstock.Options{MustExist: true}, a.listGraphs)
		},
	}
}

func (a *app) listGraphs(db *penstock.DB) error {
	graphs, err := db.Graphs()
	if err != nil {
		return err
	}
	if a.json {
		list := make([]graphSummary, len(graphs))
		for i, manifest := range graphs {
			list[i] = summary(manifest)
		}
		return a.printJSON(map[string]any{"graphs": list})
	}
	if len(graphs) == 0 {
		fmt.Fprintln(a.stdout, "no graphs yet; 'penstock load' or 'penstock generate' brings one in")
		return nil
	}
	t := newTable(a.stdout, "graph", "vertices", "edges", "direction", "chunks", "snapshot")
	for _, m := range graphs {
		t.AppendRow([]any{m.Graph, countText(m.Vertices), countText(m.Edges), directedText(m.Directed), bytesText(m.ChunkBytes()), m.ID})
	}
	t.Render()
	return nil
}

// graphNames are the names of all graphs, or none when they cannot be read.
func (a *app) graphNames() []string {
	db, err := a.open(penstock.Options{MustExist: true})
	if err != nil {
		return nil
	}
	defer db.Close()
	graphs, err := db.Graphs()
	if err != nil {
		return nil
	}
	names := make([]string, len(graphs))
	for i, m := range graphs {
		names[i] = m.Graph
	}
	return names
}

// graphSummary is a graph in JSON.
type graphSummary struct {
	Graph      string `json:"graph"`
	Snapshot   uint64 `json:"snapshot"`
	Vertices   uint64 `json:"vertices"`
	Edges      uint64 `json:"edges"`
	Directed   bool   `json:"directed"`
	ChunkBytes uint64 `json:"chunk_bytes"`
	Order      string `json:"order"`
}

func summary(m *store.Manifest) graphSummary {
	return graphSummary{m.Graph, m.ID, m.Vertices, m.Edges, m.Directed, m.ChunkBytes(), cmp.Or(string(m.Order.Taken), string(store.OrderNone))}
}

func directedText(directed bool) string {
	if directed {
		return "directed"
	}
	return "undirected"
}
