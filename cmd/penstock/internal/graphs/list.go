// Package graphs has the commands that bring graphs into a database, describe them, and take them out.
package graphs

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/store"
)

// List is penstock graphs.
type List struct{}

func (*List) Describe() *cobra.Command {
	return &cobra.Command{
		Use:   "graphs",
		Short: "List the graphs of a database",
		Args:  cobra.NoArgs,
	}
}

func (*List) Run(ctx context.Context, a *app.App, _ []string) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		list, damage := listGraphs(ctx, db)
		if piece := (*store.DamagedError)(nil); damage != nil && !errors.As(damage, &piece) {
			return damage
		}
		if err := printGraphs(a, list, damage == nil); err != nil {
			return err
		}
		return damage
	})
}

// listGraphs describes all graphs that can be read; of the others the errors are *store.DamagedError. Any
// other error comes without a list.
func listGraphs(ctx context.Context, db *instance.DB) ([]Summary, error) {
	graphs, damage := db.Graphs()
	if piece := (*store.DamagedError)(nil); damage != nil && !errors.As(damage, &piece) {
		return nil, damage
	}
	list := make([]Summary, len(graphs))
	for i, manifest := range graphs {
		size, err := db.Size(ctx, manifest.Graph)
		if piece := (*store.DamagedError)(nil); errors.As(err, &piece) {
			damage, size = errors.Join(damage, err), sizeOf(manifest)
		} else if err != nil {
			return nil, err
		}
		list[i] = summarize(manifest, size)
	}
	return list, damage
}

// printGraphs lists the graphs; whole tells whether these are all.
func printGraphs(a *app.App, list []Summary, whole bool) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"graphs": list})
	}
	if len(list) == 0 && whole {
		fmt.Fprintln(a.Out, "no graphs yet; 'penstock load' or 'penstock generate' brings one in")
		return nil
	}
	t := terminal.NewTable(a.Out, "graph", "vertices", "edges", "direction", "chunks", "snapshot", "changes since")
	for _, g := range list {
		t.AppendRow([]any{g.Graph, terminal.Count(g.Vertices), terminal.Count(g.Edges), directedText(g.Directed),
			terminal.Bytes(g.ChunkBytes), g.Snapshot, unfoldedText(g.Size)})
	}
	t.Render()
	return nil
}

// unfoldedText is what changes that are not folded into the snapshot take.
func unfoldedText(size store.Size) string {
	if size.Changes == 0 {
		return "none"
	}
	return terminal.Bytes(uint64(size.Changes)) + " in memory"
}
