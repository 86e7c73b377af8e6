package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// Commits go on, many times as many as changes may take in memory, because they are
// compacted meanwhile; nothing is lost, and no compaction conflicts with who commits.
func TestCompactor_KeepsChangesBelowTheirLimit(t *testing.T) {
	ctx, dir := context.Background(), scratch(t)
	const limit, each = 1 << 20, 100
	db, err := Open(dir, Options{Create: true, ChangesBytes: limit})
	must(t, err)
	must(t, db.CreateGraph(ctx, "g"))
	nodes, taken := uint64(0), int64(0)
	for taken < 4*limit {
		bytes, err := addTexts(db, each)
		must(t, err)
		nodes += each
		taken += bytes
	}
	must(t, db.Close())
	reopen(t, dir, func(db *DB) {
		must(t, db.Verify(ctx, "g"))
		size, err := db.Size(ctx, "g")
		must(t, err)
		if size.Vertices != nodes || size.Changes > limit {
			t.Fatalf("%d nodes were committed, there are %+v", nodes, size)
		}
		m, err := db.Compact(ctx, "g")
		must(t, err)
		if size, err := db.Size(ctx, "g"); err != nil || size != (Size{Vertices: nodes}) || m.Vertices != nodes {
			t.Fatalf("compacted, there are %+v: %v", size, err)
		}
	})
}

// addTexts commits nodes with a text, and returns what they take as changes.
func addTexts(db *DB, nodes int) (int64, error) {
	ctx := context.Background()
	tx, err := db.Begin(ctx, "g", transaction.WriteAccess)
	if err != nil {
		return 0, err
	}
	before, key := tx.Draft.Bytes, tx.NewKey("text")
	for range nodes {
		id, err := tx.CreateNode(nil)
		if err == nil {
			err = tx.SetNodeProperty(id, key, value.OfString(strings.Repeat("x", 100)))
		}
		if err != nil {
			tx.Rollback()
			return 0, err
		}
	}
	bytes := tx.Draft.Bytes - before
	return bytes, tx.Commit(ctx)
}

// A commit that is one too many is refused, and goes through once the changes before it
// have been compacted.
func TestCompactor_MakesRoomForWhatWasRefused(t *testing.T) {
	ctx, log := context.Background(), &safeBuffer{}
	db, err := Open(scratch(t), Options{Create: true, ChangesBytes: 100_000,
		Logger: slog.New(slog.NewTextHandler(log, nil))})
	must(t, err)
	defer db.Close()
	must(t, db.CreateGraph(ctx, "g"))
	g, err := db.graphs.Open(ctx, "g")
	must(t, err)
	g.CompactAt = db.graphs.Limit
	if _, err := addTexts(db, 100); err != nil {
		t.Fatal(err)
	}
	if _, err := addTexts(db, 250); !errors.As(err, new(*transaction.ChangesFullError)) {
		t.Fatal("the changes may take too much:", err)
	}
	commitAtLast(t, db, 250)
	if !strings.Contains(log.String(), "msg=compacting") {
		t.Fatal(log)
	}
}

// A compaction that fails is logged, and tried again, but not by every commit.
func TestCompactor_LogsWhatGoesWrong(t *testing.T) {
	ctx, log := context.Background(), &safeBuffer{}
	db, err := Open(scratch(t), Options{Create: true, ChangesBytes: 1 << 20,
		Logger: slog.New(slog.NewTextHandler(log, nil))})
	must(t, err)
	defer db.Close()
	must(t, db.CreateGraph(ctx, "g"))
	must(t, os.RemoveAll(directory.Temp(db.dir)))
	for err = nil; err == nil; {
		_, err = addTexts(db, 50)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	failed := func() int { return strings.Count(log.String(), "compaction has failed") }
	for begun := time.Now(); failed() == 0 && time.Since(begun) < time.Minute; {
		time.Sleep(time.Millisecond)
	}
	if n := failed(); n == 0 || n > 4 {
		t.Fatalf("%d compactions have failed:\n%s", n, log)
	}
	must(t, os.Mkdir(directory.Temp(db.dir), 0o755))
	commitAtLast(t, db, 50)
}

// commitAtLast commits nodes as soon as there is room.
func commitAtLast(t *testing.T, db *DB, nodes int) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		_, err := addTexts(db, nodes)
		if err == nil {
			return
		}
		if time.Since(begun) > time.Minute || !errors.As(err, new(*failure.ConflictError)) &&
			!errors.As(err, new(*transaction.ChangesFullError)) {
			t.Fatal(err)
		}
	}
}

// safeBuffer is a buffer for several goroutines.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}
