// Package damage has the commands that look for damage in a database, and save what is whole.
package damage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/store"
)

// Verify is penstock verify.
type Verify struct{}

func (*Verify) Describe() *cobra.Command {
	return &cobra.Command{
		Use:   "verify [GRAPH]",
		Short: "Read all of the database, or of a graph, and check every checksum and invariant",
		Long: `Read all files of the database, and everything of every graph and model, and check every
checksum and invariant; or, with a GRAPH, of that alone. The database is opened for reading only:
nothing is changed. Exit status 1: something is damaged.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: app.CompleteGraph,
	}
}

func (*Verify) Run(ctx context.Context, a *app.App, args []string) error {
	a.ReadOnly = true
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		if len(args) == 1 {
			return verifyGraph(ctx, a, db, args[0])
		}
		found, err := verifyAll(ctx, db)
		if err != nil {
			return err
		}
		if err := found.print(a); err != nil || len(found.damage) == 0 {
			return err
		}
		return damagedError{a.Dir, len(found.damage)}
	})
}

func verifyGraph(ctx context.Context, a *app.App, db *instance.DB, graph string) error {
	if err := db.Verify(ctx, graph); err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"graph": graph, "sound": true})
	}
	fmt.Fprintf(a.Out, "%s is sound\n", graph)
	return nil
}

// verifyAll verifies the files of the database, each of its graphs and each of its models.
func verifyAll(ctx context.Context, db *instance.DB) (verified, error) {
	damage, read, err := db.VerifyFiles(ctx, 0)
	if err != nil {
		return verified{}, err
	}
	graphs, err := db.Graphs()
	if piece := (*store.DamagedError)(nil); errors.As(err, &piece) {
		damage = append(damage, err)
	} else if err != nil {
		return verified{}, err
	}
	var sound []string
	for _, m := range graphs {
		err := db.Verify(ctx, m.Graph)
		if piece := (*store.DamagedError)(nil); errors.As(err, &piece) {
			damage = append(damage, err)
			continue
		}
		if err != nil {
			return verified{}, err
		}
		sound = append(sound, m.Graph)
	}
	models, wrong, err := db.Models().Verify()
	if err != nil {
		return verified{}, err
	}
	damage = append(damage, wrong...)
	slices.SortStableFunc(damage, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	damage = slices.CompactFunc(damage, func(a, b error) bool { return a.Error() == b.Error() })
	return verified{sound, models, damage, read}, nil
}

// verified is what a verification has found.
type verified struct {
	sound  []string // graphs
	models []string // that are sound
	damage []error
	read   int64 // bytes
}

func (v verified) print(a *app.App) error {
	if a.JSON {
		return a.PrintJSON(map[string]any{"sound": len(v.damage) == 0, "graphs": append([]string{}, v.sound...),
			"models": append([]string{}, v.models...), "bytes": v.read, "damage": reportsOf(v.damage)})
	}
	for _, err := range v.damage {
		fmt.Fprintln(a.Out, err)
	}
	for _, graph := range v.sound {
		fmt.Fprintf(a.Out, "%s is sound\n", graph)
	}
	for _, model := range v.models {
		fmt.Fprintf(a.Out, "model %s is sound\n", model)
	}
	if len(v.damage) == 0 {
		fmt.Fprintf(a.Out, "the database is sound: %s in its files\n", terminal.Bytes(uint64(v.read)))
	}
	return nil
}

// damagedError is the end of a verification that has found damage, which has been printed.
type damagedError struct {
	dir    string
	pieces int
}

func (e damagedError) Error() string {
	return fmt.Sprintf(
		"database %s is damaged in %d places; 'penstock repair --db %s --to NEW' copies what is whole to a new database",
		e.dir, e.pieces, e.dir)
}
