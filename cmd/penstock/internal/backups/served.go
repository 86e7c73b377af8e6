package backups

import (
	"context"
	"errors"
	"io"

	"github.com/penstock-db/penstock/internal/backup"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/server/local"
	"github.com/penstock-db/penstock/store"
)

// FromServer has the server that holds the database make the backup; locked is returned if it is
// another program that does.
func FromServer(ctx context.Context, dir, path string, options instance.BackupOptions,
	locked *store.LockedError) error {
	err := backup.Create(ctx, path, options.Since, func(w io.Writer, since *backup.PreviousFile) error {
		r := local.Request{Compress: options.Compress}
		if since != nil {
			r.Since, r.Tail = since.Name, since.Tail
		}
		return local.Fetch(ctx, dir, r, w)
	})
	if errors.Is(err, local.ErrNoServer) {
		return locked
	}
	return err
}
