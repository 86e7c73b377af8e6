package main

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/store"
)

func (a *app) repairCommand() *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:   "repair --to NEW",
		Short: "Copy what is whole of a damaged database to a new one",
		Long: `Copy every graph that is whole to a new database at --to, and of the others the snapshot and the
commits up to the first that is lost, and say what is gone. The damaged database is not
changed. Exit status 1: something is gone.`,
		Example: `  penstock repair --db ./db --to ./repaired`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case a.dir == "":
				return cli.UsageError{Err: errors.New("--db DIR is missing: which database is damaged? (or set PENSTOCK_DB)")}
			case to == "":
				return cli.UsageError{Err: errors.New("--to NEW is missing: where will the new database lie?")}
			}
			done, err := penstock.Repair(cmd.Context(), a.dir, to)
			if err != nil {
				return err
			}
			return a.printRepaired(to, done)
		},
	}
	cmd.Flags().StringVar(&to, "to", "", "the `directory` of the new database, where nothing may be yet")
	return cmd
}

// repairedGraph is what became of a graph, in JSON.
type repairedGraph struct {
	Graph    string `json:"graph"`
	Snapshot uint64 `json:"snapshot,omitempty"`
	Commits  uint64 `json:"commits"`
	Lost     string `json:"lost,omitempty"`
}

func (a *app) printRepaired(to string, done *store.Repaired) error {
	gone := 0
	graphs := make([]repairedGraph, len(done.Graphs))
	for i, g := range done.Graphs {
		graphs[i] = repairedGraph{Graph: g.Graph, Snapshot: g.Snapshot, Commits: g.Commits}
		if g.Lost != nil {
			graphs[i].Lost = g.Lost.Error()
			gone++
		}
	}
	if a.JSON {
		reports := make([]damageReport, len(done.Damage))
		for i, err := range done.Damage {
			reports[i] = reportOf(err)
		}
		if err := a.PrintJSON(map[string]any{"database": to, "graphs": graphs, "damage": reports}); err != nil {
			return err
		}
	} else {
		t := newTable(a.Out, "graph", "snapshot", "commits since", "lost")
		for _, g := range graphs {
			snapshot := "none"
			if g.Snapshot > 0 {
				snapshot = fmt.Sprint(g.Snapshot)
			}
			t.AppendRow([]any{g.Graph, snapshot, g.Commits, cmp.Or(g.Lost, "nothing")})
		}
		t.Render()
	}
	if gone > 0 {
		return fmt.Errorf("%d of %d graphs could not be saved in full; %s has the rest", gone, len(graphs), to)
	}
	return nil
}
