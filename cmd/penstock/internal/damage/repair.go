package damage

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/store"
)

// Repair is penstock repair.
type Repair struct{ to string }

func (c *Repair) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "repair --to NEW",
		Short: "Copy what is whole of a damaged database to a new one",
		Long: `Copy every graph that is whole to a new database at --to, and of the others the snapshot and the
commits up to the first that is lost, and every model that is whole, and say what is gone. The
damaged database is not changed. Exit status 1: something is gone.`,
		Example: `  penstock repair --db ./db --to ./repaired`,
		Args:    cobra.NoArgs,
	}
	cmd.Flags().StringVar(&c.to, "to", "", "the `directory` of the new database, where nothing may be yet")
	return cmd
}

func (c *Repair) Run(ctx context.Context, a *app.App, _ []string) error {
	switch {
	case a.Dir == "":
		return cli.UsageError{Err: errors.New("--db DIR is missing: which database is damaged? (or set PENSTOCK_DB)")}
	case c.to == "":
		return cli.UsageError{Err: errors.New("--to NEW is missing: where will the new database lie?")}
	}
	done, err := instance.Repair(ctx, a.Dir, c.to)
	if err != nil {
		return err
	}
	graphs, gone := repairedGraphs(done.Repaired)
	models, lost := repairedModels(done.Models)
	if err := printRepaired(a, c.to, graphs, models, done.Damage); err != nil {
		return err
	}
	switch {
	case gone > 0:
		return fmt.Errorf("%d of %d graphs could not be saved in full; %s has the rest", gone, len(graphs), c.to)
	case lost > 0:
		return fmt.Errorf("%d of %d models are lost; %s has the rest", lost, len(models), c.to)
	}
	return nil
}

// repairedModel is what became of a model, in JSON.
type repairedModel struct {
	Model string `json:"model"`
	Lost  string `json:"lost,omitempty"`
}

// repairedModels are all models, and how many of them are lost.
func repairedModels(done []instance.RepairedModel) (models []repairedModel, lost int) {
	models = make([]repairedModel, len(done))
	for i, m := range done {
		models[i].Model = m.Name
		if m.Lost != nil {
			models[i].Lost = m.Lost.Error()
			lost++
		}
	}
	return models, lost
}

// repairedGraph is what became of a graph, in JSON.
type repairedGraph struct {
	Graph    string `json:"graph"`
	Snapshot uint64 `json:"snapshot,omitempty"`
	Commits  uint64 `json:"commits"`
	Lost     string `json:"lost,omitempty"`
}

// repairedGraphs are all graphs, and how many of them have lost something.
func repairedGraphs(done *store.Repaired) (graphs []repairedGraph, gone int) {
	graphs = make([]repairedGraph, len(done.Graphs))
	for i, g := range done.Graphs {
		graphs[i] = repairedGraph{Graph: g.Graph, Snapshot: g.Snapshot, Commits: g.Commits}
		if g.Lost != nil {
			graphs[i].Lost = g.Lost.Error()
			gone++
		}
	}
	return graphs, gone
}

func printRepaired(a *app.App, to string, graphs []repairedGraph, models []repairedModel,
	damage []error) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"database": to, "graphs": graphs, "models": models,
			"damage": reportsOf(damage)})
	}
	t := terminal.NewTable(a.Out, "graph", "snapshot", "commits since", "lost")
	for _, g := range graphs {
		snapshot := "none"
		if g.Snapshot > 0 {
			snapshot = fmt.Sprint(g.Snapshot)
		}
		t.AppendRow([]any{g.Graph, snapshot, g.Commits, cmp.Or(g.Lost, "nothing")})
	}
	t.Render()
	for _, m := range models {
		fmt.Fprintf(a.Out, "model %s: lost %s\n", m.Model, cmp.Or(m.Lost, "nothing"))
	}
	return nil
}
