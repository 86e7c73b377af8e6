package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/internal/backup"
	"github.com/penstock-db/penstock/store"
)

func (a *app) backupCommand() *cobra.Command {
	var options penstock.BackupOptions
	cmd := &cobra.Command{
		Use:   "backup OUT",
		Short: "Copy the whole database to a file, also while it is served",
		Long: `Copy all graphs of a database, as they are at one instant, and its users to a new file.
Where 'penstock serve' has the database open, the server makes the backup; nobody waits
for it. With --since the file holds only what an earlier backup and those before it do
not: all of them are needed to restore. 'penstock restore' makes a database of backups.

Keep backups as you keep the database: they hold all data, and the hashes of passwords.`,
		Example: `  penstock backup --db ./db monday.backup
  penstock backup --db ./db tuesday.backup --since monday.backup
  penstock backup verify tuesday.backup
  penstock backup info tuesday.backup`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.readOnly = true
			return a.backup(cmd.Context(), args[0], options)
		},
	}
	cmd.Flags().StringVar(&options.Since, "since", "", "leave out what this earlier `backup` has")
	cmd.Flags().BoolVar(&options.Compress, "compress", false, "pack with zstd what that makes smaller")
	cmd.AddCommand(a.backupVerifyCommand(), a.backupInfoCommand())
	return cmd
}

func (a *app) backup(ctx context.Context, path string, options penstock.BackupOptions) error {
	started := time.Now()
	bar := newProgress(a.Err, "backup")
	options.Progress = bar.set
	err := a.withDB(penstock.Options{MustExist: true}, func(db *penstock.DB) error {
		return db.Backup(ctx, path, options)
	})
	if locked := (*store.LockedError)(nil); errors.As(err, &locked) {
		err = a.backupServed(ctx, path, options, locked)
	}
	bar.done()
	if err != nil {
		return err
	}
	file, err := backup.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if a.JSON {
		return a.PrintJSON(struct {
			backupSummary
			Seconds float64 `json:"seconds"`
		}{summarize(file), time.Since(started).Seconds()})
	}
	inherited := ""
	if file.Header.Previous != nil {
		inherited = fmt.Sprintf(", %s values are in %s and before", countText(file.End.Inherited), file.Header.Previous.File)
	}
	fmt.Fprintf(a.Out, "%s: %d graphs, %s values and %s commits, %s%s, in %s\n", path, len(file.Graphs()), countText(file.End.Values),
		countText(heldCommits(file)), bytesText(uint64(file.Size)), inherited, time.Since(started).Round(time.Millisecond))
	return nil
}

func heldCommits(file *backup.File) (n uint64) {
	for _, g := range file.Graphs() {
		n += g.Held
	}
	return n
}

// backupSummary is a backup in JSON.
type backupSummary struct {
	File      string           `json:"file"`
	SHA256    string           `json:"sha256"`
	Bytes     int64            `json:"bytes"`
	Penstock  string           `json:"penstock"`
	Previous  *backup.Previous `json:"previous,omitempty"`
	Time      time.Time        `json:"time"`
	Values    uint64           `json:"values"`
	Inherited uint64           `json:"inherited"`
	Graphs    []backupGraph    `json:"graphs"`
}

type backupGraph struct {
	Graph    string    `json:"graph"`
	Snapshot uint64    `json:"snapshot"`
	Created  time.Time `json:"created"`
	Vertices uint64    `json:"vertices"`
	Edges    uint64    `json:"edges"`
	Commits  uint64    `json:"commits"` // since the snapshot
	Held     uint64    `json:"held"`    // of them in this file
}

func summarize(f *backup.File) backupSummary {
	s := backupSummary{
		File: f.Path, SHA256: f.SHA256(), Bytes: f.Size, Penstock: f.Header.Penstock, Previous: f.Header.Previous,
		Time: f.End.Time, Values: f.End.Values, Inherited: f.End.Inherited, Graphs: []backupGraph{},
	}
	for _, g := range f.Graphs() {
		m := g.Manifest
		s.Graphs = append(s.Graphs, backupGraph{m.Graph, m.ID, m.Created, m.Vertices, m.Edges, g.Commits, g.Held})
	}
	return s
}

func (a *app) backupVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify OUT",
		Short: "Read a backup and those before it, and check every checksum",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withChain(args[0], func(chain backup.Chain) error {
				bar := newProgress(a.Err, "verify "+args[0])
				err := chain.Verify(cmd.Context(), bar.set)
				bar.done()
				if err != nil {
					return err
				}
				if a.JSON {
					return a.PrintJSON(map[string]any{"file": args[0], "sound": true, "files": len(chain)})
				}
				fmt.Fprintf(a.Out, "%s is sound", args[0])
				if n := len(chain); n > 1 {
					fmt.Fprintf(a.Out, ", with the %d before it", n-1)
				}
				fmt.Fprintln(a.Out)
				return nil
			})
		},
	}
}

func withChain(path string, do func(backup.Chain) error) error {
	chain, err := backup.OpenChain(path)
	if err != nil {
		return err
	}
	return errors.Join(do(chain), chain.Close())
}

func (a *app) backupInfoCommand() *cobra.Command {
	var graphs []string
	var commits bool
	cmd := &cobra.Command{
		Use:   "info OUT",
		Short: "Tell what a backup and those before it have, and what can be restored",
		Long: `Tell what a backup and those before it have. 'penstock restore --at TIME' can go back to any
instant of the times listed, and 'penstock restore --at GRAPH@N' to any commit of the backup that is
restored, which --commits lists. Checksums are checked by 'penstock backup verify'.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withChain(args[0], func(chain backup.Chain) (err error) {
				if len(graphs) > 0 {
					if chain, err = chain.Only(graphs...); err != nil {
						return err
					}
				}
				if commits {
					return a.printCommits(cmd.Context(), chain)
				}
				return a.printChain(chain)
			})
		},
	}
	cmd.Flags().StringArrayVar(&graphs, "graph", nil, "tell of this `graph` only; may be repeated")
	cmd.Flags().BoolVar(&commits, "commits", false, "list the commits, with the time of each")
	return cmd
}

func (a *app) printChain(chain backup.Chain) error {
	windows := chain.Windows()
	if a.JSON {
		type restorable struct {
			backupSummary
			Restorable backup.Window `json:"restorable"`
		}
		var all []restorable
		for i, f := range chain {
			all = append(all, restorable{summarize(f), windows[i]})
		}
		return a.PrintJSON(map[string]any{"backups": all})
	}
	t := newTable(a.Out, "backup", "graph", "snapshot", "published", "commits", "in the file")
	for _, f := range chain {
		for _, g := range f.Graphs() {
			t.AppendRow([]any{f.Path, g.Manifest.Graph, g.Manifest.ID, g.Manifest.Created.Format(time.RFC3339Nano), g.Commits, g.Held})
		}
	}
	t.Render()
	fmt.Fprintln(a.Out, "restore --at TIME, from and until:")
	for _, w := range windows {
		fmt.Fprintf(a.Out, "  %s  %s\n", w.From.Format(time.RFC3339Nano), w.Until.Format(time.RFC3339Nano))
	}
	return nil
}

// printCommits lists the commits that a backup shows as --at takes them.
func (a *app) printCommits(ctx context.Context, chain backup.Chain) error {
	if !a.JSON {
		return chain.Commits(ctx, func(graph string, number uint64, at time.Time) error {
			when := "by a penstock that noted no time"
			if !at.IsZero() {
				when = at.Format(time.RFC3339Nano)
			}
			_, err := fmt.Fprintf(a.Out, "%s@%d  %s\n", graph, number, when)
			return err
		})
	}
	type commit struct {
		Graph  string    `json:"graph"`
		Commit uint64    `json:"commit"`
		Time   time.Time `json:"time,omitzero"`
	}
	all := []commit{}
	err := chain.Commits(ctx, func(graph string, number uint64, at time.Time) error {
		all = append(all, commit{graph, number, at})
		return nil
	})
	if err != nil {
		return err
	}
	return a.PrintJSON(map[string]any{"commits": all})
}
