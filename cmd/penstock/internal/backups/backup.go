// Package backups has the commands that back databases up and restore them.
package backups

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/internal/backup"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/store"
)

// Backup is penstock backup.
type Backup struct{ options instance.BackupOptions }

func (c *Backup) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "backup OUT",
		Short: "Copy the whole database to a file, also while it is served",
		Long: `Copy all graphs of a database, as they are at one instant, and its users to a new file.
Where 'penstock serve' has the database open, the server makes the backup, and its clients
do not wait for it. With --since the file holds only what an earlier backup and those before it do
not: all of them are needed to restore. 'penstock restore' makes a database of backups.

Keep backups as you keep the database: they hold all data, and the hashes of passwords.`,
		Example: `  penstock backup --db ./db monday.backup
  penstock backup --db ./db tuesday.backup --since monday.backup
  penstock backup verify tuesday.backup
  penstock backup info tuesday.backup`,
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().StringVar(&c.options.Since, "since", "", "leave out what this earlier `backup` has")
	cmd.Flags().BoolVar(&c.options.Compress, "compress", false, "pack with zstd what that makes smaller")
	return cmd
}

func (*Backup) Commands() []app.Command { return []app.Command{&verify{}, &info{}} }

func (c *Backup) Run(ctx context.Context, a *app.App, args []string) error {
	a.ReadOnly = true
	path, started := args[0], time.Now()
	if err := c.write(ctx, a, path); err != nil {
		return err
	}
	file, err := backup.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return printWritten(a, file, time.Since(started))
}

// write makes the backup; where a server has the database, that does.
func (c *Backup) write(ctx context.Context, a *app.App, path string) error {
	bar := terminal.StartProgress(a.Err, "backup")
	defer bar.Done()
	options := c.options
	options.Progress = bar.Set
	err := a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		return db.Backup(ctx, path, options)
	})
	if locked := (*store.LockedError)(nil); errors.As(err, &locked) {
		err = FromServer(ctx, a.Dir, path, options, locked)
	}
	return err
}

func printWritten(a *app.App, file *backup.File, took time.Duration) error {
	if a.JSON {
		return a.PrintJSON(struct {
			summary
			Seconds float64 `json:"seconds"`
		}{summarize(file), took.Seconds()})
	}
	inherited := ""
	if file.Header.Previous != nil {
		inherited = fmt.Sprintf(", %s values are in %s and before", terminal.Count(file.End.Inherited),
			file.Header.Previous.File)
	}
	fmt.Fprintf(a.Out, "%s: %d graphs, %s values and %s commits, %s%s, in %s\n", file.Path, len(file.Graphs()),
		terminal.Count(file.End.Values),
		terminal.Count(heldCommits(file)), terminal.Bytes(uint64(file.Size)), inherited, took.Round(time.Millisecond))
	return nil
}

func heldCommits(file *backup.File) (n uint64) {
	for _, g := range file.Graphs() {
		n += g.Held
	}
	return n
}
