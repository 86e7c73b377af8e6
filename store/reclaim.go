package store

import (
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/lsm"
	"github.com/penstock-db/penstock/store/internal/space"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// How space comes back. Chunks, blocks of columns and parts of commits lie in value logs, files
// that Badger only appends to. What is deleted or written anew stays there as waste until the
// log is rewritten: what is live is appended to the newest log, and the old one is removed. One
// holder of the writer's token does that, while others read and commit:
//
//  1. It counts what is live in each log, by the keys (valueLogs), and ends if the waste is
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
// A device that has logs mapped puts off step 5 (see KeepFiles). Nothing is lost when the process is
// killed in between, nor when the power fails: an old log is removed when all that is live in it is in another, and synced.

const (
	// spareSpace is what may be wasted, beside half of what is live, before space is given
	// back without anybody asking.
	spareSpace = 32 << 20
	// newLogCost is what beginLog writes.
	newLogCost = (tree.LogEntries + 1) * tree.ValueThreshold
)

// tooMuch tells whether more than half of what is live and spare bytes are wasted.
func (logs valueLogs) tooMuch(spare int64) bool { return logs.waste() > logs.live()/2+spare }

// reclaim gives space back until the waste is within its limit. Who asks for it, with no spare bytes,
// is told of damage; else it is logged.
func (db *DB) reclaim(ctx context.Context, spare int64) error {
	logs, err := db.valueLogs()
	if err != nil || len(logs) == 0 || spare > 0 && !logs.tooMuch(spare) {
		return err
	}
	if err := db.badger.RelieveMerge(db.dir); err != nil {
		return err
	}
	if err := db.badger.VerifyChecksum(); err != nil {
		return db.report(&failure.DamagedError{Kind: "tables", Number: -1, Err: err}, spare)
	}
	if err := db.flushTree(logs[len(logs)-1].waste() >= 2*newLogCost); err != nil {
		return err
	}
	return db.report(db.files.Collect(spare, func() (bool, error) { return db.rewriteLogs(ctx, spare) }), spare)
}

// report logs damage that nobody asked for, and returns all else.
func (db *DB) report(err error, spare int64) error {
	if damaged := (*failure.DamagedError)(nil); spare > 0 && errors.As(err, &damaged) {
		db.logger.Error("space is not given back", "error", err)
		return nil
	}
	return err
}

// flushTree has Badger compact its tables, by dropping a key, and begin a new log before.
func (db *DB) flushTree(newLog bool) error {
	db.log.Dropping.Lock()
	defer db.log.Dropping.Unlock()
	values := 1
	if newLog && space.Check(db.dir, newLogCost+space.OpenReserve) == nil {
		values = tree.LogEntries + 1
	}
	value := make([]byte, tree.ValueThreshold)
	err := db.badger.Update(func(txn *badger.Txn) error {
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
	if err := db.noteReads(); err != nil {
		return err
	}
	return db.badger.DropPrefix([]byte{layout.DummyPrefix})
}

// readMarks is how many beginnings and ends of transactions Badger keeps in a queue before
// it takes notice of them (its y.WaterMark).
const readMarks = 100

// noteReads has Badger take notice that nobody reads what was deleted just now: a compaction
// keeps it otherwise. Each transaction pushes two marks through the queue.
func (db *DB) noteReads() error {
	for range 1 + readMarks/2 {
		if err := db.badger.View(func(*badger.Txn) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// rewriteLogs has Badger rewrite its logs, those with the most waste first, until the waste is
// within its limit; with no spare bytes, also each of which a third is waste. Damage of logs is
// returned when all others are done, which done tells. It is called by db.files alone: nobody may have logs mapped.
func (db *DB) rewriteLogs(ctx context.Context, spare int64) (done bool, err error) {
	var damage []error
	passed := map[uint64]bool{}
	for {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		logs, err := db.valueLogs()
		if err != nil {
			return false, err
		}
		l, ok := logs.next(spare, passed)
		if !ok {
			return true, errors.Join(damage...)
		}
		passed[l.number] = true
		err = db.rewriteLog(l)
		if damaged := (*failure.DamagedError)(nil); errors.As(err, &damaged) {
			damage = append(damage, err)
		} else if err != nil {
			return false, err
		}
	}
}

// collectLast is rewriteLogs when the last who had logs mapped leaves. While somebody writes it is left to that one.
func (db *DB) collectLast(spare int64) (done bool) {
	select {
	case <-db.writer:
		defer db.release()
		defer space.RestoreBallast(db.dir)
		done, err := db.rewriteLogs(context.Background(), spare)
		_ = db.report(err, spare) // should it fail, it stays owed
		return done
	default: // the writer does it at its end
		return false
	}
}

// next is the log to be rewritten next, of those that were not passed.
func (logs valueLogs) next(spare int64, passed map[uint64]bool) (next valueLog, ok bool) {
	for _, l := range logs[:max(0, len(logs)-1)] {
		due := logs.tooMuch(spare) || spare == 0 && l.waste() >= l.size/3
		if due && !passed[l.number] && l.waste() > next.waste() {
			next, ok = l, true
		}
	}
	return next, ok
}

// prove reads a log and compares its checksums: Badger copies a log only up to the first record with a
// bad one, and then removes it.
func (l valueLog) prove(dir string) error {
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
func (db *DB) collectDurably() error {
	return db.badger.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{Prefix: []byte{layout.DummyPrefix}})
		defer it.Close()
		return errors.Join(db.badger.RunValueLogGC(0.5), db.badger.SyncAll())
	})
}

// rewriteLog has Badger rewrite one log, if it is whole and there is room for what is live in it.
func (db *DB) rewriteLog(l valueLog) error {
	dir := filepath.Join(db.dir, dataDir)
	if err := l.prove(dir); err != nil {
		return err
	}
	tables, err := tree.TableBytes(dir)
	if err != nil {
		return err
	}
	if err := space.Relieve(db.dir, tables+uint64(l.live)+space.OpenReserve); err != nil {
		return err
	}
	if ok, err := tree.Prefer(dir, l.number); !ok || err != nil {
		return err
	}
	err = db.collectDurably()
	if errors.Is(err, badger.ErrNoRewrite) {
		return nil
	}
	if err == nil {
		db.rewritten.Store(l.number, true)
	}
	return err
}
