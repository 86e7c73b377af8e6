package serve

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/store"
)

// scrubbing says how a server looks for damage in files that are seldom read.
type scrubbing struct {
	rate  cli.Size // bytes a second; 0: not at all
	every time.Duration
}

func (s *scrubbing) add(f *pflag.FlagSet) {
	s.rate = 8 << 20
	f.Var(&s.rate, "scrub", "read the files at most `size` a second, and log what is damaged; 0: never")
	f.DurationVar(&s.every, "scrub-every", 24*time.Hour, "`time` from one reading of all files to the next")
}

// scrub reads all files of the database again and again, and logs what is damaged, until the context is done.
func (s scrubbing) scrub(ctx context.Context, db *instance.DB, log *slog.Logger) {
	for s.rate > 0 {
		damage, read, err := db.VerifyFiles(ctx, int64(s.rate))
		if ctx.Err() != nil {
			return
		}
		for _, d := range damage {
			log.Error("scrubbing has found damage: stop the server, and run 'penstock verify'", placeOf(d)...)
		}
		if err != nil {
			log.Error("scrubbing has failed", "error", err)
		}
		log.Info("scrubbed", "bytes", read, "damaged", len(damage))
		select {
		case <-ctx.Done():
			return
		case <-time.After(s.every):
		}
	}
}

// placeOf is where damage lies, as attributes of a log line.
func placeOf(err error) []any {
	place := []any{"error", err}
	if d := (*store.FileDamage)(nil); errors.As(err, &d) {
		place = append(place, "file", d.File, "offset", d.Offset)
	}
	return place
}
