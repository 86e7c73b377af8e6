package store

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/reclaim"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// churn loads the graph "old" of so many vertices, of whose properties each takes a block of half
// a MiB for 65,536.
func churn(t *testing.T, db *DB, vertices int) {
	t.Helper()
	m := edgeModel()
	for v := range vertices {
		m.edges = append(m.edges, modelEdge{src: "0", dst: string(rune('a'+v%26)) + itoa(v)})
	}
	m.typedFrom = len(m.edges)
	_, err := db.Load(t.Context(), "old", m, load.Options{})
	must(t, err)
}

func itoa(v int) string {
	return string([]byte{byte('a' + v%26), byte('a' + v/26%26), byte('a' + v/676%26), byte('a' + v/17576%26)})
}

// setMark writes the property "mark" of the graph "old".
func setMark(db *DB, value int64) error { return crashProperty(db, value) }

// However many write-backs a session makes, no more waste than the limit is left, and closing and
// opening leaves no more either.
func TestReclaim_WhileOpen(t *testing.T) {
	dir := scratch(t)
	reopen(t, dir, func(db *DB) {
		churn(t, db, 100_000)
		most := int64(0)
		for i := range int64(150) {
			must(t, setMark(db, i))
			most = max(most, settled(t, db).Waste())
		}
		if most < reclaim.Spare/2 {
			t.Errorf("at most %d bytes were wasted: nothing is tested", most)
		}
		must(t, db.Verify(t.Context(), "old"))
		must(t, db.CollectGarbage(t.Context()))
		logs, err := db.reclaimer.Logs()
		must(t, err)
		if limit := logs.Live()/2 + 2*reclaim.NewLogCost; logs.Waste() > limit {
			t.Errorf("asked to, and %d bytes of waste are left, more than %d", logs.Waste(), limit)
		}
	})
	reopen(t, dir, func(db *DB) { must(t, db.Verify(t.Context(), "old")) })
}

// A database that was left with waste, as older versions did, gives it back when it is opened.
func TestReclaim_WhenOpened(t *testing.T) {
	dir := scratch(t)
	reopen(t, dir, func(db *DB) {
		churn(t, db, 100_000)
		must(t, setMark(db, 0))
		s, err := db.Snapshot("old")
		must(t, err)
		kept := s.KeepFiles() // so that nothing is given back
		s.Close()
		for i := range int64(60) {
			must(t, setMark(db, i))
		}
		logs, err := db.reclaimer.Logs()
		must(t, err)
		if !logs.TooMuch(reclaim.Spare) {
			t.Fatalf("%d bytes are wasted: nothing is tested", logs.Waste())
		}
		_ = kept
	})
	reopen(t, dir, func(db *DB) {
		logs, err := db.reclaimer.Logs()
		must(t, err)
		if logs.TooMuch(reclaim.Spare) {
			t.Errorf("%d bytes are live, %d wasted", logs.Live(), logs.Waste())
		}
		must(t, db.Verify(t.Context(), "old"))
	})
}

// Badger's own counts may be lost.
func TestReclaim_WithoutCounts(t *testing.T) {
	dir := scratch(t)
	reopen(t, dir, func(db *DB) {
		must(t, bigLoad(db, "dropped"))
		must(t, bigLoad(db, "kept"))
		must(t, db.reclaimer.FlushTree(true)) // and begin a new log
		s, err := db.Snapshot("kept")
		must(t, err)
		s.KeepFiles() // so that nothing is given back
		s.Close()
		must(t, db.Drop(t.Context(), "dropped"))
	})
	must(t, os.Remove(filepath.Join(dir, directory.DataDir, tree.DiscardFile)))
	reopen(t, dir, func(*DB) {})
	reopen(t, dir, func(db *DB) {
		must(t, db.CollectGarbage(t.Context()))
		logs, err := db.reclaimer.Logs()
		must(t, err)
		if logs.Waste() > logs.Live()/2 {
			t.Errorf("%d bytes are live, %d wasted", logs.Live(), logs.Waste())
		}
		must(t, db.Verify(t.Context(), "kept"))
	})
}

// What a snapshot leaves behind when it is closed comes back without a write.
func TestReclaim_AfterASnapshot(t *testing.T) {
	db := testDB(t)
	churn(t, db, 100_000)
	var pins []*snapshot.Snapshot
	for i := range int64(70) {
		must(t, setMark(db, i))
		s, err := db.Snapshot("old")
		must(t, err)
		pins = append(pins, s)
	}
	for _, s := range pins {
		s.Close()
	}
	settled(t, db)
}

// settled waits until the waste is within its limit.
func settled(t *testing.T, db *DB) reclaim.Logs {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		logs, err := db.reclaimer.Logs()
		must(t, err)
		if !logs.TooMuch(reclaim.Spare) {
			return logs
		}
		if time.Now().After(end) {
			t.Fatalf("%d bytes are live, %d wasted", logs.Live(), logs.Waste())
		}
	}
}

// Values are where pointerOf says.
func TestPointerOf(t *testing.T) {
	db := testDB(t)
	churn(t, db, 100_000)
	found := 0
	must(t, db.badger.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			p, ok := tree.PointerOf(it.Item())
			if large := it.Item().ValueSize() >= tree.ValueThreshold; large != ok {
				t.Errorf("key %q: a value of %d bytes, in a log: %v", it.Item().Key(), it.Item().ValueSize(), ok)
			}
			if !ok {
				continue
			}
			found++
			file, err := os.Open(tree.LogPath(filepath.Join(db.dir, directory.DataDir), p.Log))
			must(t, err)
			entry := make([]byte, p.Length)
			_, err = file.ReadAt(entry, p.Offset)
			must(t, errors.Join(err, file.Close()))
			must(t, it.Item().Value(func(value []byte) error {
				if at := bytes.Index(entry, value); at < 0 || at+len(value)+4 != len(entry) {
					t.Errorf("key %q: its value is not in the entry", it.Item().Key())
				}
				return nil
			}))
		}
		return nil
	}))
	if found == 0 {
		t.Error("no value is in a log")
	}
}

// A log with a flipped bit before a live value stays as it is, and is reported; others are
// rewritten; when nothing in it is live any more it goes.
func TestReclaim_DamagedLogStays(t *testing.T) {
	dir := scratch(t)
	reopen(t, dir, func(db *DB) { // one log has both graphs
		must(t, bigLoad(db, "dropped"))
		must(t, bigLoad(db, "kept"))
	})
	logs, err := filepath.Glob(filepath.Join(dir, directory.DataDir, "*.vlog"))
	must(t, err)
	damaged := logs[0]
	before, err := os.ReadFile(damaged)
	must(t, err)
	flipAt(t, damaged, tree.VlogHeader+1000)
	db, err := Open(dir, Options{})
	must(t, err)
	defer func() { must(t, db.Close()) }()
	must(t, db.Verify(t.Context(), "kept"))
	var damage *failure.DamagedError
	if err := db.Drop(t.Context(), "dropped"); !errors.As(err, &damage) || damage.Kind != "value log" {
		t.Errorf("dropping: %v", err)
	}
	must(t, db.Verify(t.Context(), "kept"))
	if after, err := os.ReadFile(damaged); err != nil || len(after) != len(before) {
		t.Fatalf("the damaged log has %d bytes instead of %d: %v", len(after), len(before), err)
	}
	must(t, db.Drop(t.Context(), "kept"))
	if _, err := os.Stat(damaged); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing in the log is live, and it is still there: %v", err)
	}
}

// Whoever reads while logs are rewritten and removed finds everything.
func TestReclaim_ReadersGoOn(t *testing.T) {
	db := testDB(t)
	must(t, bigLoad(db, "kept"))
	churn(t, db, 70_000)
	s, err := db.Snapshot("kept")
	must(t, err)
	defer s.Close()
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	reads := 0
	readers.Go(func() {
		for ctx.Err() == nil {
			for _, info := range s.Chunks(chunk.Out) {
				size, err := s.ChunkSize(info, nil)
				must(t, err)
				if _, err := s.ReadChunk(t.Context(), info, nil, chunk.Aligned(size)); err != nil {
					t.Error(err)
					return
				}
				reads++
			}
		}
	})
	for i := range int64(30) {
		must(t, setMark(db, i))
		must(t, db.CollectGarbage(t.Context()))
	}
	stop()
	readers.Wait()
	if reads == 0 {
		t.Error("nothing was read")
	}
}

// A process is killed while it gives space back again and again: nothing is lost.
func TestCrash_Reclaim(t *testing.T) {
	seed := testseed.New(t)
	r := rand.New(rand.NewPCG(seed, 0))
	dir := scratch(t)
	reopen(t, dir, func(db *DB) {
		must(t, bigLoad(db, "kept"))
		churn(t, db, 70_000)
	})
	kills := 3
	if long.Tests() {
		kills = 8
	}
	for range kills {
		runAndKill(t, dir, "reclaim", seed, time.Duration(r.Int64N(int64(500*time.Millisecond))))
		reopen(t, dir, func(db *DB) {
			must(t, db.Verify(t.Context(), "kept"))
			must(t, db.Verify(t.Context(), "old"))
			assertNothingUnnamed(t, db)
		})
	}
}

// crashReclaim writes and gives space back until it is killed.
func crashReclaim(db *DB) error {
	for i := int64(0); ; i++ {
		if err := errors.Join(setMark(db, i), db.CollectGarbage(context.Background())); err != nil {
			return err
		}
	}
}

// A value that moves between the look-ups of its key and of itself reads as empty, and is
// found by a second look-up in the same transaction.
func TestRead_ValueThatMoved(t *testing.T) {
	db := testDB(t)
	must(t, bigLoad(db, "kept"))
	must(t, bigLoad(db, "dropped"))
	must(t, db.reclaimer.FlushTree(true)) // and begin a new log
	s, err := db.Snapshot("kept")
	must(t, err)
	defer s.Close()
	info := s.Chunks(chunk.Out)[0]
	key := info.Piece().Key(info.Number)
	must(t, db.badger.View(func(txn *badger.Txn) error {
		item, err := txn.Get(key)
		must(t, err)
		before, ok := tree.PointerOf(item)
		must(t, db.Drop(t.Context(), "dropped"))
		must(t, item.Value(func(value []byte) error {
			if !ok || len(value) > 0 {
				t.Errorf("the value has not moved from %v", before)
			}
			return nil
		}))
		return db.badger.Tree(txn).Read(key, func(value []byte) error { return nil })
	}))
	calls := 0
	must(t, db.badger.View(func(txn *badger.Txn) error {
		return db.badger.Tree(txn).Read(key, func([]byte) error {
			if calls++; calls == 1 {
				return layout.ErrEmpty
			}
			return nil
		})
	}))
}
