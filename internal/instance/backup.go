package instance

import (
	"context"
	"io"

	"github.com/penstock-db/penstock/internal/backup"
)

// BackupOptions say how a backup is made. The zero value makes a full one.
type BackupOptions struct {
	// Since is the backup that this one follows: what that one knows is left out. Both
	// are needed to restore.
	Since string
	// Compress packs with zstd what that makes smaller.
	Compress bool
	// Progress is told how many stored values are done, of how many.
	Progress func(done, total int64)
}

// Backup writes all graphs, as they are when it begins, to a new file, while others read and
// write. See package backup for the file, and for the errors.
func (db *DB) Backup(ctx context.Context, path string, options BackupOptions) error {
	return backup.Create(ctx, path, options.Since, func(w io.Writer, since *backup.PreviousFile) error {
		return db.WriteBackup(ctx, w, since, options)
	})
}

// WriteBackup is Backup to a stream. since is what is known of the backup that this one follows,
// in place of options.Since; nil: it is a full one.
func (db *DB) WriteBackup(ctx context.Context, w io.Writer, since *backup.PreviousFile, options BackupOptions) error {
	var base *backup.Base
	if since != nil {
		var err error
		if base, err = backup.ReadBase(since.Name, since.Tail); err != nil {
			return err
		}
	}
	return backup.Write(ctx, db.store, db.dir, w, backup.Options{
		Base: base, Compress: options.Compress, Penstock: Version(), Progress: options.Progress,
	})
}

// Restore makes a new database at dir of a backup and those that it follows. The zero Point is
// what the backup shows. Where graphs are named, it has no others.
func Restore(ctx context.Context, path, dir string, options backup.RestoreOptions, graphs ...string) (*backup.Restored,
	error) {
	chain, err := backup.OpenChain(path)
	if err != nil {
		return nil, err
	}
	defer chain.Close()
	if len(graphs) > 0 {
		if chain, err = chain.Only(graphs...); err != nil {
			return nil, err
		}
	}
	return chain.Restore(ctx, dir, options)
}
