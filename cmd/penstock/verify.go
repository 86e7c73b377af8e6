package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/store"
)

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify [GRAPH]",
		Short: "Read all of the database, or of a graph, and check every checksum and invariant",
		Long: `Read all files of the database, and everything of every graph, and check every checksum and
invariant; or, with a GRAPH, of that alone. The database is opened for reading only: nothing is
changed. Exit status 1: something is damaged.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.readOnly = true
			return a.withDB(penstock.Options{MustExist: true}, func(db *penstock.DB) error {
				if len(args) == 1 {
					return a.verifyGraph(cmd.Context(), db, args[0])
				}
				return a.verifyAll(cmd.Context(), db)
			})
		},
	}
}

func (a *app) verifyGraph(ctx context.Context, db *penstock.DB, graph string) error {
	if err := db.Verify(ctx, graph); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"graph": graph, "sound": true})
	}
	fmt.Fprintf(a.Out, "%s is sound\n", graph)
	return nil
}

// damageReport is a damaged piece in JSON.
type damageReport struct {
	Graph  string `json:"graph,omitempty"`
	Piece  string `json:"piece,omitempty"`
	File   string `json:"file,omitempty"`
	Offset *int64 `json:"offset,omitempty"`
	Error  string `json:"error"`
}

func reportOf(err error) damageReport {
	r := damageReport{Error: err.Error()}
	if piece := (*store.DamagedError)(nil); errors.As(err, &piece) {
		r.Graph, r.Piece = piece.Graph, piece.Kind
		if piece.Number >= 0 {
			r.Piece = fmt.Sprintf("%s %d", piece.Kind, piece.Number)
		}
	}
	if place := (*store.FileDamage)(nil); errors.As(err, &place) {
		r.File = place.File
		if place.Offset >= 0 {
			r.Offset = &place.Offset
		}
	}
	return r
}

// verifyAll verifies the files of the database and each of its graphs.
func (a *app) verifyAll(ctx context.Context, db *penstock.DB) error {
	damage, read, err := db.VerifyFiles(ctx, 0)
	if err != nil {
		return err
	}
	graphs, err := db.Graphs()
	if piece := (*store.DamagedError)(nil); errors.As(err, &piece) {
		damage = append(damage, err)
	} else if err != nil {
		return err
	}
	var sound []string
	for _, m := range graphs {
		err := db.Verify(ctx, m.Graph)
		if piece := (*store.DamagedError)(nil); errors.As(err, &piece) {
			damage = append(damage, err)
			continue
		}
		if err != nil {
			return err
		}
		sound = append(sound, m.Graph)
	}
	slices.SortStableFunc(damage, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	damage = slices.CompactFunc(damage, func(a, b error) bool { return a.Error() == b.Error() })
	if a.JSON {
		reports := make([]damageReport, len(damage))
		for i, err := range damage {
			reports[i] = reportOf(err)
		}
		err := a.PrintJSON(map[string]any{"sound": len(damage) == 0, "graphs": append([]string{}, sound...), "bytes": read, "damage": reports})
		if err != nil || len(damage) == 0 {
			return err
		}
		return damagedError{a.dir, len(damage)}
	}
	for _, err := range damage {
		fmt.Fprintln(a.Out, err)
	}
	for _, graph := range sound {
		fmt.Fprintf(a.Out, "%s is sound\n", graph)
	}
	if len(damage) > 0 {
		return damagedError{a.dir, len(damage)}
	}
	fmt.Fprintf(a.Out, "the database is sound: %s in its files\n", bytesText(uint64(read)))
	return nil
}

// damagedError is the end of a verification that has found damage, which has been printed.
type damagedError struct {
	dir    string
	pieces int
}

func (e damagedError) Error() string {
	return fmt.Sprintf("database %s is damaged in %d places; 'penstock repair --db %s --to NEW' copies what is whole to a new database", e.dir, e.pieces, e.dir)
}
