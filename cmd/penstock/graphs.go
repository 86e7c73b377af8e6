package main

import (
	"cmp"
	"context"
	"errors"
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withDB(penstock.Options{MustExist: true}, func(db *penstock.DB) error {
				return a.listGraphs(cmd.Context(), db)
			})
		},
	}
}

func (a *app) listGraphs(ctx context.Context, db *penstock.DB) error {
	graphs, damage := db.Graphs()
	if piece := (*store.DamagedError)(nil); damage != nil && !errors.As(damage, &piece) {
		return damage
	}
	list := make([]graphSummary, len(graphs))
	for i, manifest := range graphs {
		size, err := db.Size(ctx, manifest.Graph)
		if piece := (*store.DamagedError)(nil); errors.As(err, &piece) {
			damage, size = errors.Join(damage, err), sizeOf(manifest)
		} else if err != nil {
			return err
		}
		list[i] = summary(manifest, size)
	}
	if err := a.printGraphs(list, damage == nil); err != nil {
		return err
	}
	return damage
}

// printGraphs lists the graphs; whole tells whether these are all.
func (a *app) printGraphs(list []graphSummary, whole bool) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"graphs": list})
	}
	if len(list) == 0 && whole {
		fmt.Fprintln(a.Out, "no graphs yet; 'penstock load' or 'penstock generate' brings one in")
		return nil
	}
	t := newTable(a.Out, "graph", "vertices", "edges", "direction", "chunks", "snapshot", "changes since")
	for _, g := range list {
		t.AppendRow([]any{g.Graph, countText(g.Vertices), countText(g.Edges), directedText(g.Directed), bytesText(g.ChunkBytes), g.Snapshot, unfoldedText(g.Size)})
	}
	t.Render()
	return nil
}

// unfoldedText is what changes that are not folded into the snapshot take.
func unfoldedText(size store.Size) string {
	if size.Changes == 0 {
		return "none"
	}
	return bytesText(uint64(size.Changes)) + " in memory"
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
	Graph    string `json:"graph"`
	Snapshot uint64 `json:"snapshot"`
	store.Size
	Directed   bool   `json:"directed"`
	ChunkBytes uint64 `json:"chunk_bytes"`
	Order      string `json:"order"`
}

func summary(m *store.Manifest, size store.Size) graphSummary {
	return graphSummary{m.Graph, m.ID, size, m.Directed, m.ChunkBytes(), cmp.Or(string(m.Order.Taken), string(store.OrderNone))}
}

// sizeOf a graph without changes.
func sizeOf(m *store.Manifest) store.Size { return store.Size{Vertices: m.Vertices, Edges: m.Edges} }

func directedText(directed bool) string {
	if directed {
		return "directed"
	}
	return "undirected"
}
