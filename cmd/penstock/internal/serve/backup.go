package serve

import (
	"context"
	"io"
	"log/slog"

	"github.com/penstock-db/penstock/internal/backup"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/server/local"
)

// serveBackups makes backups for 'penstock backup' until stop, which waits for the last. A server
// that cannot do so serves all the same.
func serveBackups(ctx context.Context, db *instance.DB, dir string, log *slog.Logger) (stop func()) {
	listener, err := local.Listen(dir)
	if err != nil {
		log.Warn("backups can be made only when the server has ended", "error", err)
		return func() {}
	}
	take := func(ctx context.Context, r local.Request, w io.Writer) error {
		var since *backup.PreviousFile
		if r.Since != "" {
			since = &backup.PreviousFile{Name: r.Since, Tail: r.Tail}
		}
		return db.WriteBackup(ctx, w, since, instance.BackupOptions{Compress: r.Compress})
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := local.Serve(ctx, listener, take, log); err != nil {
			log.Error("no more backups are made", "error", err)
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}
