package store

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/reclaim"
	"github.com/penstock-db/penstock/store/internal/space"
	"github.com/penstock-db/penstock/store/internal/sweep"
)

// sweep deletes every chunk and block that neither a current nor a pinned manifest names, and returns how many values
// it has deleted. Only the holder of the writer's token may call it (or Open). While a manifest cannot be read, or the
// tree does not name the graphs that the catalog names, nothing is swept.
func (db *DB) sweep(ctx context.Context) (deleted int, err error) {
	live, err := db.live()
	if damaged := (*failure.DamagedError)(nil); errors.As(err, &damaged) {
		db.logger.Error("nothing is swept: the database is damaged", "error", err)
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return live.Sweep(ctx, db.dir, db.badger)
}

// tidy sweeps, and gives space back when more than reclaim.Spare is wasted.
func (db *DB) tidy(ctx context.Context) error {
	if _, err := db.sweep(ctx); err != nil {
		return err
	}
	return db.reclaimer.Reclaim(ctx, reclaim.Spare)
}

// live is what current and pinned manifests name.
func (db *DB) live() (sweep.Live, error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	all, err := db.Graphs()
	if err != nil {
		return nil, err
	}
	return sweep.NewLive(all, db.catalog.Snapshots(), slices.Collect(maps.Keys(db.pins)))
}

// dropLog has Badger drop a log that has been swept. Of a damaged database nothing was, as sweep has logged.
func (db *DB) dropLog(log uint64) error {
	live, err := db.live()
	if damaged := (*failure.DamagedError)(nil); errors.As(err, &damaged) {
		return nil
	}
	if err != nil {
		return err
	}
	return live.DropLog(db.dir, db.badger, &db.log.Dropping, log)
}

// CollectGarbage deletes what no snapshot names and gives its space back to the file
// system. While devices read in the files (see KeepFiles) their space is not given back,
// but when the last of them ends.
//
// Errors: *DamagedError, when a value log cannot be rewritten for a bad checksum; *DiskFullError.
func (db *DB) CollectGarbage(ctx context.Context) error {
	if err := db.acquire(ctx); err != nil {
		return err
	}
	defer db.release()
	if _, err := db.sweep(ctx); err != nil {
		return err
	}
	return db.reclaimer.Reclaim(ctx, 0)
}

// reclaimSwept gives back space that was swept while nothing wrote.
func (db *DB) reclaimSwept(ctx context.Context) error {
	if db.acquire(ctx) != nil {
		return nil
	}
	defer db.release()
	return db.reclaimer.Reclaim(ctx, reclaim.Spare)
}

// collectOwed gives space back when the last who had logs mapped leaves (see snapshot.FilesInUse). While somebody
// writes it is left to that one.
func (db *DB) collectOwed(spare int64) (done bool) {
	if !db.writer.tryAcquire() {
		return false // the writer does it at its end
	}
	defer db.release()
	defer space.RestoreBallast(db.dir)
	return db.reclaimer.Owed(context.Background(), spare)
}
