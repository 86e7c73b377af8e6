package store

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/catalog"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// proofDatabase makes a database with a graph that was loaded and one that was written to.
func proofDatabase(t *testing.T) (dir string, want map[string]content) {
	t.Helper()
	dir, want = filepath.Join(scratch(t), "db"), map[string]content{}
	reopen(t, dir, func(db *DB) {
		m := randomModel(rand.New(rand.NewPCG(1, 1)), memory.DefaultAllocator, 50, 300)
		_, err := db.Load(t.Context(), "loaded", m, load.Options{})
		must(t, err)
		must(t, db.CreateGraph(t.Context(), "written"))
		commitNodes(t, db, 3, 100)
		for _, name := range []string{"loaded", "written"} {
			want[name], err = contentOf(t.Context(), db, name)
			must(t, err)
		}
	})
	return dir, want
}

// rewriteTree changes the tree as only a defect could: without the numbers and the catalog.
func rewriteTree(t *testing.T, dir string, change func(*badger.Txn) error) {
	t.Helper()
	b, err := tree.Open(filepath.Join(dir, directory.DataDir), nil)
	must(t, err)
	must(t, b.Update(change))
	must(t, b.Close())
}

func contains(t *testing.T, db *DB, want map[string]content, more int) {
	t.Helper()
	for name, graph := range want {
		got, err := contentOf(t.Context(), db, name)
		must(t, err)
		commits := 0
		if name == "written" {
			commits = more
		}
		if !got.is(graph, commits) {
			t.Errorf("graph %s is another, with %d commits", name, len(got.commits))
		}
	}
}

// damageOf opens the database, which must be refused, and returns the reasons.
func damageOf(t *testing.T, dir string) string {
	t.Helper()
	db, err := Open(dir, Options{})
	var damaged *failure.DamagedDatabaseError
	if err == nil {
		t.Errorf("it is not refused")
		must(t, db.Close())
	} else if !errors.As(err, &damaged) {
		t.Fatal(err)
	} else {
		return errors.Join(damaged.Damage...).Error()
	}
	return ""
}

// TestOpen_Format1 opens a database as versions made it that had no catalog: it can be read, is changed by the first
// opening for writing only, and says then which format it has.
func TestOpen_Format1(t *testing.T) {
	dir, want := proofDatabase(t)
	rewriteTree(t, dir, func(txn *badger.Txn) error { return txn.Delete(layout.SequenceKey) })
	must(t, os.Remove(filepath.Join(dir, directory.CatalogFile)))
	must(t, os.Remove(filepath.Join(dir, tree.SyncedFile)))
	must(t, os.WriteFile(filepath.Join(dir, directory.FormatFile), []byte(directory.FormatLine+"1\n"), 0o644))
	before := images(t, dir)
	db, err := Open(dir, Options{ReadOnly: true})
	must(t, err)
	contains(t, db, want, 0)
	must(t, db.Close())
	if after := images(t, dir); !maps.EqualFunc(before, after,
		func(a, b image) bool { return a.size == b.size && bytes.Equal(a.data, b.data) }) {
		t.Error("reading has changed it")
	}
	reopen(t, dir, func(db *DB) {
		contains(t, db, want, 0)
		must(t, commitNode(t.Context(), db, "after"))
	})
	if text, err := os.ReadFile(filepath.Join(dir, directory.FormatFile)); err != nil ||
		string(text) != directory.FormatLine+"2\n" {
		t.Errorf("%q, %v", text, err)
	}
	state, err := catalog.Read(filepath.Join(dir, directory.CatalogFile))
	must(t, err)
	if names := slices.Sorted(maps.Keys(state.Graphs)); !slices.Equal(names, []string{"loaded", "written"}) {
		t.Error(names)
	}
	if n, err := tree.ReadSynced(dir); n != 1 || err != nil {
		t.Errorf("SYNCED has %d, %v", n, err)
	}
	reopen(t, dir, func(db *DB) { contains(t, db, want, 1) })
}

// TestOpen_MadeByFormat1 opens a database that the last version before the catalog has made: with a graph of three
// nodes and three relationships that was loaded, and one of one commit.
func TestOpen_MadeByFormat1(t *testing.T) {
	dir := filepath.Join(scratch(t), "db")
	unpack(t, "testdata/format1.tar.gz", dir)
	read := func(db *DB) {
		loaded, err := contentOf(t.Context(), db, "loaded")
		must(t, err)
		written, err := contentOf(t.Context(), db, "written")
		must(t, err)
		if len(loaded.lines) != 6 || len(written.lines) != 0 || len(written.commits) != 1 {
			t.Errorf("loaded: %v; written: %v, %d commits", loaded.lines, written.lines, len(written.commits))
		}
	}
	db, err := Open(dir, Options{ReadOnly: true})
	must(t, err)
	read(db)
	must(t, db.Close())
	reopen(t, dir, read)
	reopen(t, dir, read)
	if text, err := os.ReadFile(filepath.Join(dir, directory.FormatFile)); err != nil ||
		string(text) != directory.FormatLine+"2\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// unpack unpacks a tar file that gzip has compressed.
func unpack(t *testing.T, path, dir string) {
	t.Helper()
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	plain, err := gzip.NewReader(file)
	must(t, err)
	archive := tar.NewReader(plain)
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		must(t, err)
		to := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			must(t, os.MkdirAll(to, 0o755))
			continue
		}
		text, err := io.ReadAll(archive)
		must(t, errors.Join(err, os.WriteFile(to, text, 0o644)))
	}
}

func TestOpen_NewerFormat(t *testing.T) {
	dir, _ := proofDatabase(t)
	must(t, os.WriteFile(filepath.Join(dir, directory.FormatFile), []byte(directory.FormatLine+"3\n"), 0o644))
	before := images(t, dir)
	for _, readOnly := range []bool{false, true} {
		var version *VersionError
		if db, err := Open(dir, Options{ReadOnly: readOnly}); !errors.As(err, &version) ||
			!strings.Contains(err.Error(), "3") {
			t.Errorf("%v, %v", db, err)
		}
	}
	if after := images(t, dir); !maps.EqualFunc(before, after,
		func(a, b image) bool { return bytes.Equal(a.data, b.data) }) {
		t.Error("it was changed")
	}
}

// TestOpen_PendingChange ends a process between the catalog's change and the tree's. What the tree has is right then.
func TestOpen_PendingChange(t *testing.T) {
	dir, want := proofDatabase(t)
	path := filepath.Join(dir, directory.CatalogFile)
	state, err := catalog.Read(path)
	must(t, err)
	replaced := state.Graphs["loaded"]
	replaced.Snapshot++
	added := replaced
	added.Name = "added"
	for what, change := range map[string]catalog.Graph{"add": added, "replace": replaced, "drop": {Name: "loaded"}} {
		t.Run(what, func(t *testing.T) {
			state, err := catalog.Read(path)
			must(t, err)
			c, err := catalog.Open(path, state)
			must(t, err)
			must(t, c.Change(change, func() (bool, error) { return true, nil }))
			must(t, c.Close())
			db, err := Open(dir, Options{ReadOnly: true})
			must(t, err)
			contains(t, db, want, 0)
			must(t, db.Close())
			reopen(t, dir, func(db *DB) { contains(t, db, want, 0) })
			now, err := catalog.Read(path)
			must(t, err)
			if names := slices.Sorted(maps.Keys(now.Graphs)); !slices.Equal(names, []string{"loaded", "written"}) {
				t.Error(names)
			}
		})
	}
	t.Run("two", func(t *testing.T) { // two changes that the tree has not got: it has lost one
		state, err := catalog.Read(path)
		must(t, err)
		c, err := catalog.Open(path, state)
		must(t, err)
		for _, name := range []string{"x", "y"} {
			added.Name = name
			must(t, c.Change(added, func() (bool, error) { return true, nil }))
		}
		must(t, c.Close())
		if got := damageOf(t, dir); !strings.Contains(got, "x") || !strings.Contains(got, "the tree does not") {
			t.Error(got)
		}
	})
}

// The tree lacks commits that SYNCED has; or SYNCED lacks some, as after a power failure, since it is written without a
// sync.
func TestOpen_SyncedAndTree(t *testing.T) {
	dir, want := proofDatabase(t)
	path := filepath.Join(dir, tree.SyncedFile)
	number, err := tree.ReadSynced(dir)
	must(t, err)
	if number != 5 { // two snapshots, three commits
		t.Errorf("SYNCED has %d", number)
	}
	text, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, tree.SyncedText(number+2), 0o644))
	if got := damageOf(t, dir); !strings.Contains(got, "number 7") || !strings.Contains(got, "is 5") {
		t.Error(got)
	}
	must(t, os.WriteFile(path, tree.SyncedText(number-3), 0o644))
	reopen(t, dir, func(db *DB) { contains(t, db, want, 0) })
	if again, err := tree.ReadSynced(dir); err != nil || again > number {
		t.Errorf("%d, %v", again, err)
	}
	reopen(t, dir, func(db *DB) { must(t, commitNode(t.Context(), db, "after")) })
	if again, err := tree.ReadSynced(dir); again != number+1 || err != nil {
		t.Errorf("%d, %v", again, err)
	}
	must(t, os.Remove(path))
	if got := damageOf(t, dir); !strings.Contains(got, tree.SyncedFile) {
		t.Error(got)
	}
	must(t, os.WriteFile(path, text, 0o644))
	reopen(t, dir, func(db *DB) { contains(t, db, want, 1) })
}

// The tree's own number is of another length, is missing, and is there again.
func TestOpen_SequenceKey(t *testing.T) {
	dir, want := proofDatabase(t)
	number, err := tree.ReadSynced(dir)
	must(t, err)
	setSequence := func(value []byte) func(txn *badger.Txn) error {
		return func(txn *badger.Txn) error {
			return txn.Set(layout.SequenceKey, layout.Seal(layout.SequenceKey, value))
		}
	}
	rewriteTree(t, dir, setSequence([]byte("short")))
	if got := damageOf(t, dir); got == "" {
		t.Error("a number of another length is taken")
	}
	rewriteTree(t, dir, func(txn *badger.Txn) error { return txn.Delete(layout.SequenceKey) })
	if got := damageOf(t, dir); !strings.Contains(got, "is 0") {
		t.Error(got)
	}
	rewriteTree(t, dir, setSequence(binary.BigEndian.AppendUint64(nil, number)))
	reopen(t, dir, func(db *DB) { contains(t, db, want, 0) })
}

// A commit that is missing between others is damage of its graph, and of no other.
func TestVerify_MissingCommit(t *testing.T) {
	dir, _ := proofDatabase(t)
	var log uint64
	reopen(t, dir, func(db *DB) {
		m, err := db.current("written")
		must(t, err)
		log = m.LogID()
	})
	rewriteTree(t, dir, func(txn *badger.Txn) error { return txn.Delete(layout.LogKey(log, 2, 0)) })
	db, err := Open(dir, Options{ReadOnly: true})
	must(t, err)
	if err := db.Verify(t.Context(), "written"); !isDamage(err) {
		t.Errorf("without its second commit the graph is taken: %v", err)
	}
	if err := db.Verify(t.Context(), "loaded"); err != nil {
		t.Error(err)
	}
	must(t, db.Close())
}

// FuzzSynced reads arbitrary bytes: they are what was written, or an error.
func FuzzSynced(f *testing.F) {
	f.Add(tree.SyncedText(7))
	f.Add([]byte(tree.SyncedHead))
	dir := f.TempDir()
	path := filepath.Join(dir, tree.SyncedFile)
	f.Fuzz(func(t *testing.T, text []byte) {
		must(t, os.WriteFile(path, text, 0o600))
		number, err := tree.ReadSynced(dir)
		if err == nil && !bytes.Equal(text, tree.SyncedText(number)) {
			t.Errorf("%q is number %d", text, number)
		}
		if errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	})
}

// A power failure may leave a new value log without its head, or bring back one that was deleted, with other data in
// its blocks. There is nothing in them, and the database opens. A log that keys name must have its head.
func TestOpen_TornLog(t *testing.T) {
	dir := scratch(t)
	reopen(t, dir, func(db *DB) { must(t, bigLoad(db, "g")) })
	data := filepath.Join(dir, directory.DataDir)
	newest, _, err := tree.NewestLog(data)
	must(t, err)
	deleted, torn := tree.LogPath(data, newest+1), tree.LogPath(data, newest+3)
	must(t, os.WriteFile(deleted, bytes.Repeat([]byte("a backup"), 5000), 0o600))
	must(t, os.WriteFile(tree.LogPath(data, newest+2), make([]byte, tree.VlogHeader), 0o600))
	must(t, os.WriteFile(torn, bytes.Repeat([]byte("stale"), 5000), 0o600))
	reopen(t, dir, func(db *DB) {
		must(t, db.Verify(t.Context(), "g"))
		must(t, bigLoad(db, "h"))
	})
	reopen(t, dir, func(db *DB) { must(t, errors.Join(db.Verify(t.Context(), "g"), db.Verify(t.Context(), "h"))) })
	if _, err := os.Stat(deleted); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the deleted log is still there:", err)
	}

	logs, err := tree.LogNumbers(data)
	must(t, err)
	path := tree.LogPath(data, logs[0])
	text, err := os.ReadFile(path)
	must(t, err)
	text[3] ^= 1
	must(t, os.WriteFile(path, text, 0o600))
	if got := damageOf(t, dir); !strings.Contains(got, filepath.Base(path)) {
		t.Error(got)
	}
}

// The same of the log of a new memtable. One before the newest was synced as a whole, and must be.
func TestOpen_TornMemtable(t *testing.T) {
	dir, want := proofDatabase(t)
	data := filepath.Join(dir, directory.DataDir)
	older := filepath.Join(data, "00001.mem")
	path, text := "", []byte(nil)
	reopen(t, dir, func(db *DB) {
		must(t, commitNode(t.Context(), db, "second"))
		path = newestMemtable(t, data)
		var err error
		text, err = os.ReadFile(path)
		must(t, err)
	})
	must(t, os.WriteFile(older, text, 0o600)) // as if its table were not made yet
	next := filepath.Join(data, "99999.mem")
	must(t, os.WriteFile(next, bytes.Repeat([]byte("stale"), 5000), 0o600))
	reopen(t, dir, func(db *DB) { contains(t, db, want, 1) })
	if _, err := os.Stat(next); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the torn log is still there:", err)
	}

	must(t, os.WriteFile(next, make([]byte, 20), 0o600))
	text[len(bytes.TrimRight(text, "\x00"))-10] ^= 4 // in the last record
	must(t, os.WriteFile(older, text, 0o600))
	if got := damageOf(t, dir); !strings.Contains(got, filepath.Base(older)) {
		t.Error(got)
	}
}

func newestMemtable(t *testing.T, dir string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*.mem"))
	must(t, err)
	return found[len(found)-1]
}
