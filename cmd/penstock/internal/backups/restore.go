package backups

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/backup"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
)

// Restore is penstock restore.
type Restore struct{ at, graphs []string }

func (c *Restore) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "restore OUT",
		Short: "Make a new database of a backup",
		Long: `Make a new database, at --db, of a backup and those that it follows, which must be where they
were. All are read and checked before anything is written, and every graph is verified
before there is a database.

--at goes back: to a TIME that 'penstock backup info' lists (as 2026-01-31T18:00:00Z), or to the
commit N of a graph since its snapshot (GRAPH@N; the other graphs are as the backup has them).
More times are known of one graph than of all at once: --graph restores some only.`,
		Example: `  penstock restore tuesday.backup --db ./new
  penstock restore tuesday.backup --db ./new --at 2026-01-31T18:00:00+01:00
  penstock restore tuesday.backup --db ./new --at air@17`,
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().StringArrayVar(
		&c.at, "at", nil, "go back to a time, or to a commit of a graph: `TIME|GRAPH@N`; GRAPH@N may be repeated")
	cmd.Flags().StringArrayVar(&c.graphs, "graph", nil, "restore this `graph` only; may be repeated")
	return cmd
}

func (c *Restore) Run(ctx context.Context, a *app.App, args []string) error {
	if a.Dir == "" {
		return cli.UsageError{Err: errors.New("--db DIR is missing: where will the new database lie? (or set PENSTOCK_DB)")}
	}
	point, err := parsePoint(c.at)
	if err != nil {
		return cli.UsageError{Err: err}
	}
	bar := terminal.StartProgress(a.Err, "restore "+args[0])
	started := time.Now()
	restored, err := instance.Restore(ctx, args[0], a.Dir, backup.RestoreOptions{Point: point, Progress: bar.Set},
		c.graphs...)
	bar.Done()
	if err != nil {
		return err
	}
	return printRestored(a, restored, time.Since(started))
}

// parsePoint reads --at flags.
func parsePoint(flags []string) (point backup.Point, err error) {
	for _, flag := range flags {
		i := strings.LastIndexByte(flag, '@')
		if i < 0 {
			point.Time, err = time.Parse(time.RFC3339, flag)
			if err != nil || len(flags) > 1 {
				return point, fmt.Errorf("--at %s: write one time, as 2026-01-31T18:00:00Z, or commits, as GRAPH@17", flag)
			}
			return point, nil
		}
		n, err := strconv.ParseUint(flag[i+1:], 10, 64)
		if err != nil {
			return point, fmt.Errorf("--at %s: write the number of a commit after the @, as GRAPH@17", flag)
		}
		if point.Commits == nil {
			point.Commits = map[string]uint64{}
		}
		point.Commits[flag[:i]] = n
	}
	return point, nil
}

func printRestored(a *app.App, r *backup.Restored, took time.Duration) error {
	type graph struct {
		Graph    string `json:"graph"`
		Snapshot uint64 `json:"snapshot"`
		Commits  uint64 `json:"commits"`
		Of       uint64 `json:"of"`
	}
	graphs := []graph{}
	for _, g := range r.Graphs {
		graphs = append(graphs, graph{g.Manifest.Graph, g.Manifest.ID, g.Commits, g.Of})
	}
	if a.JSON {
		return a.PrintJSON(map[string]any{"database": a.Dir, "graphs": graphs, "seconds": took.Seconds()})
	}
	for _, g := range graphs {
		fmt.Fprintf(a.Out, "%s: snapshot %d and %d of %d commits since\n", g.Graph, g.Snapshot, g.Commits, g.Of)
	}
	fmt.Fprintf(a.Out, "restored %d graphs to %s in %s\n", len(graphs), a.Dir, took.Round(time.Millisecond))
	return nil
}
