package penstock

import (
	"context"
	"log/slog"
	"time"

	"github.com/penstock-db/penstock/internal/backup"
	"github.com/penstock-db/penstock/internal/instance"
)

// BackupOptions say how a backup is made. The zero value makes a full one.
type BackupOptions struct {
	// Since is the backup that this one follows: what that one has is left out. Both are needed to restore.
	Since string
	// Compress packs with zstd what that makes smaller.
	Compress bool
	// Progress is called with how many stored values are done, of how many; nil: it is not.
	Progress func(done, total int64)
}

// Backup writes all graphs, as they are when it begins, to a new file, while others read and write.
func (db *DB) Backup(ctx context.Context, path string, options BackupOptions) error {
	return public(db.inner.Backup(ctx, path, instance.BackupOptions(options)))
}

// RestoreOptions say what is restored of a backup. The zero value restores what it shows. Time and Commits exclude each
// other.
type RestoreOptions struct {
	// Time is the instant to go back to; commits at that very time are in.
	Time time.Time
	// Commits is, by graph, the number of the last commit that is restored; other graphs are as the backup shows them.
	Commits map[string]uint64
	// Graphs are the ones that the new database has; nil: all.
	Graphs []string
	// Logger receives the messages of storage; nil: they are dropped.
	Logger *slog.Logger
	// Progress is called with how many bytes are read, of those that must be; nil: it is not.
	Progress func(done, total int64)
}

// Restore makes a new database at dir of the backup at path and those that it follows. The database appears when every
// graph in it has been verified.
func Restore(ctx context.Context, path, dir string, options RestoreOptions) error {
	_, err := instance.Restore(ctx, path, dir, backup.RestoreOptions{
		Point:  backup.Point{Time: options.Time, Commits: options.Commits},
		Logger: options.Logger, Progress: options.Progress,
	}, options.Graphs...)
	return public(err)
}
