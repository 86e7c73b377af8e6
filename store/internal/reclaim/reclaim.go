// Package reclaim gives the space of a database back. Chunks, blocks of columns and parts of commits lie in value
// logs, files that Badger only appends to. What is deleted or written anew stays there as waste until the log is
// rewritten: what is live is appended to the newest log, and the old one is removed. One holder of the writer's token
// does that, while others read and commit:
//
//  1. It counts what is live in each log, by the keys (valuelogs.go), and ends if the waste is
//     within its limit: half of what is live, and spare bytes.
//  2. It proves the tables whole. In a damaged one keys end early, and what they lead to
//     would be taken for waste.
//  3. If the newest log has waste worth it, it has Badger begin another: Badger never
//     rewrites the newest.
//  4. It has Badger compact its tables, so that Badger has a slot to count each log's waste in.
//  5. While there is too much waste, it takes the log with the most, proves it whole up to its
//     last live value, and has Badger rewrite it. A damaged log stays as it is until
//     nothing in it is live, and is reported.
//
// A device that has logs mapped puts off step 5 (see snapshot.FilesInUse). Nothing is lost when the process is killed
// in between, nor when the power fails: an old log is removed when all that is live in it is in another, and synced.
package reclaim

import (
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"sync"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/lsm"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/space"
	"github.com/penstock-db/penstock/store/internal/tree"
)

const (
	// Spare is what may be wasted, beside half of what is live, before space is given
	// back without anybody asking.
	Spare = 32 << 20
	// NewLogCost is what FlushTree writes to begin a log.
	NewLogCost = (tree.LogEntries + 1) * tree.ValueThreshold
)

// Reclaimer gives the space of one database back. Only the holder of the writer's token may call it, but for Logs.
type Reclaimer struct {
	dir       string // of the database
	badger    *tree.Badger
	dropping  sync.Locker // held while Badger refuses to write
	files     *snapshot.FilesInUse
	logger    *slog.Logger
	rewritten sync.Map // numbers of logs that Badger has rewritten and may remove later, when iterators end
}

// New gives space back of the database at dir, whose files may be in use. Who writes to b while it drops keys waits
// for dropping.
func New(
	dir string, b *tree.Badger, dropping sync.Locker, files *snapshot.FilesInUse, logger *slog.Logger,
) *Reclaimer {
	return &Reclaimer{dir: dir, badger: b, dropping: dropping, files: files, logger: logger}
}

// Reclaim gives space back until the waste is within its limit. Who asks for it, with no spare bytes,
// is told of damage; else it is logged.
//
// Errors: *failure.DamagedError, *failure.DiskFullError.
func (r *Reclaimer) Reclaim(ctx context.Context, spare int64) error {
	logs, err := r.Logs()
	if err != nil || len(logs) == 0 || spare > 0 && !logs.TooMuch(spare) {
		return err
	}
	if err := r.badger.RelieveMerge(r.dir); err != nil {
		return err
	}
	if err := r.badger.VerifyChecksum(); err != nil {
		return r.report(&failure.DamagedError{Kind: "tables", Number: -1, Err: err}, spare)
	}
	if err := r.FlushTree(logs[len(logs)-1].waste() >= 2*NewLogCost); err != nil {
		return err
	}
	return r.report(r.files.Collect(spare, func() (bool, error) { return r.rewriteLogs(ctx, spare) }), spare)
}

// report logs damage that nobody asked for, and returns all else.
func (r *Reclaimer) report(err error, spare int64) error {
	if damaged := (*failure.DamagedError)(nil); spare > 0 && errors.As(err, &damaged) {
		r.logger.Error("space is not given back", "error", err)
		return nil
	}
	return err
}

// FlushTree has Badger compact its tables, by dropping a key, and begin a new log before.
func (r *Reclaimer) FlushTree(newLog bool) error {
	r.dropping.Lock()
	defer r.dropping.Unlock()
	values := 1
	if newLog && space.Check(r.dir, NewLogCost+space.OpenReserve) == nil {
		values = tree.LogEntries + 1
	}
	value := make([]byte, tree.ValueThreshold)
	err := r.badger.Update(func(txn *badger.Txn) error {
		if values == 1 {
			return txn.Set([]byte{layout.DummyPrefix}, []byte{1})
		}
		for i := range values {
			if err := txn.Set(binary.BigEndian.AppendUint16([]byte{layout.DummyPrefix}, uint16(i)), value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := r.noteReads(); err != nil {
		return err
	}
	return r.badger.DropPrefix([]byte{layout.DummyPrefix})
}

// readMarks is how many beginnings and ends of transactions Badger keeps in a queue before
// it takes notice of them (its y.WaterMark).
const readMarks = 100

// noteReads has Badger take notice that nobody reads what was deleted just now: a compaction
// keeps it otherwise. Each transaction pushes two marks through the queue.
func (r *Reclaimer) noteReads() error {
	for range 1 + readMarks/2 {
		if err := r.badger.View(func(*badger.Txn) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// rewriteLogs has Badger rewrite its logs, those with the most waste first, until the waste is
// within its limit; with no spare bytes, also each of which a third is waste. Damage of logs is
// returned when all others are done, which done tells. It is called by way of files alone: nobody may have logs mapped.
func (r *Reclaimer) rewriteLogs(ctx context.Context, spare int64) (done bool, err error) {
	var damage []error
	passed := map[uint64]bool{}
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		logs, err := r.Logs()
		if err != nil {
			return false, err
		}
		l, ok := logs.next(spare, passed)
		if !ok {
			return true, errors.Join(damage...)
		}
		passed[l.number] = true
		err = r.rewriteLog(l)
		if damaged := (*failure.DamagedError)(nil); errors.As(err, &damaged) {
			damage = append(damage, err)
		} else if err != nil {
			return false, err
		}
	}
}

// Owed does what was put off while somebody had logs mapped. done: nothing of it is left.
func (r *Reclaimer) Owed(ctx context.Context, spare int64) (done bool) {
	done, err := r.rewriteLogs(ctx, spare)
	_ = r.report(err, spare) // should it fail, it stays owed
	return done
}

// next is the log to be rewritten next, of those that were not passed.
func (logs Logs) next(spare int64, passed map[uint64]bool) (next Log, ok bool) {
	for _, l := range logs[:max(0, len(logs)-1)] {
		due := logs.TooMuch(spare) || spare == 0 && l.waste() >= l.size/3
		if due && !passed[l.number] && l.waste() > next.waste() {
			next, ok = l, true
		}
	}
	return next, ok
}

// prove reads a log and compares its checksums: Badger copies a log only up to the first record with a
// bad one, and then removes it.
func (l Log) prove(dir string) error {
	if l.live == 0 {
		return nil
	}
	damage, err := lsm.VerifyValueLog(tree.LogPath(dir, l.number))
	if err != nil {
		return err
	}
	if len(damage) > 0 && damage[0].Offset < l.end {
		return &failure.DamagedError{Kind: "value log", Number: int64(l.number), Err: damage[0]}
	}
	return nil
}

// collectDurably has Badger rewrite a log. Badger removes it at once, while the copies may be in memory alone, unless
// an iterator is open: then it waits for that to be closed, which is after a sync.
func (r *Reclaimer) collectDurably() error {
	return r.badger.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte{layout.DummyPrefix}})
		defer it.Close()
		return errors.Join(r.badger.RunValueLogGC(0.5), r.badger.SyncAll())
	})
}

// rewriteLog has Badger rewrite one log, if it is whole and there is room for what is live in it.
func (r *Reclaimer) rewriteLog(l Log) error {
	dir := directory.Data(r.dir)
	if err := l.prove(dir); err != nil {
		return err
	}
	tables, err := tree.TableBytes(dir)
	if err != nil {
		return err
	}
	if err := space.Relieve(r.dir, tables+uint64(l.live)+space.OpenReserve); err != nil {
		return err
	}
	if ok, err := tree.Prefer(dir, l.number); !ok || err != nil {
		return err
	}
	err = r.collectDurably()
	if errors.Is(err, badger.ErrNoRewrite) {
		return nil
	}
	if err == nil {
		r.rewritten.Store(l.number, true)
	}
	return err
}
