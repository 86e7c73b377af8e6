package lsm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"github.com/penstock-db/penstock/internal/testseed"
)

// oracle is a Badger database, with all values that each key ever had.
type oracle struct {
	t    *testing.T
	r    *rand.Rand
	dir  string
	opts badger.Options
	db   *badger.DB
	ever map[string][][]byte
}

// newOracle opens a database in small pieces: many tables, levels, memtables and value logs.
func newOracle(t *testing.T, seed uint64) *oracle {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "badger")
	o := &oracle{t: t, r: rand.New(rand.NewPCG(seed, 0)), dir: dir, ever: map[string][][]byte{}}
	o.opts = badger.DefaultOptions(dir).WithLogger(nil).WithCompression(options.None).WithBlockCacheSize(0).
		WithMetricsEnabled(
			false).WithDetectConflicts(false).WithValueThreshold(64 << 10).WithNumMemtables(2).WithNumCompactors(2).
		WithMemTableSize(1 << 20).WithBaseTableSize(64 << 10).WithBaseLevelSize(128 << 10).WithNumLevelZeroTables(2).
		WithValueLogFileSize(1 << 20).WithChecksumVerificationMode(options.OnBlockRead)
	o.open()
	t.Cleanup(func() { o.db.Close() })
	return o
}

func (o *oracle) open() {
	db, err := badger.Open(o.opts)
	check(o.t, err)
	o.db = db
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (o *oracle) key() []byte { return fmt.Appendf(nil, "k%0*d", 1+o.r.IntN(12), o.r.IntN(200)) }

func (o *oracle) value() []byte {
	size := o.r.IntN(300)
	if o.r.IntN(20) == 0 {
		size = 64<<10 + o.r.IntN(64<<10)
	}
	value := bytes.Repeat([]byte{byte(o.r.IntN(3))}, size)
	return fmt.Appendf(value, "%d", o.r.Uint64())
}

func (o *oracle) set(set func(key, value []byte) error, key, value []byte) {
	check(o.t, set(key, value))
	o.ever[string(key)] = append(o.ever[string(key)], value)
}

// dropped begins the keys that a step drops. No key is a beginning of it: where a table begins with such a key, Badger
// (v4.9.6, containsPrefix) takes the table for one without keys of the prefix, and their old versions are there again.
const dropped = "k1"

// step does something to the database, says what, and counts it under one key, as package store does with its commits:
// versions rise from opening to opening only while the newest key of all is not deleted.
func (o *oracle) step() string {
	defer func() {
		check(o.t, o.db.Update(func(txn *badger.Txn) error {
			o.set(txn.Set, []byte("steps"), o.value())
			return nil
		}))
	}()
	set := func(set func(key, value []byte) error) { o.set(set, o.key(), o.value()) }
	switch n := o.r.IntN(40); {
	case n < 20:
		check(o.t, o.db.Update(func(txn *badger.Txn) error {
			for range 1 + o.r.IntN(4) {
				set(txn.Set)
			}
			return txn.Delete(o.key())
		}))
		return "update"
	case n < 28:
		batch := o.db.NewWriteBatch()
		for range o.r.IntN(300) {
			set(batch.Set)
		}
		check(o.t, batch.Flush())
		return "batch"
	case n < 35:
		check(o.t, o.db.Update(func(txn *badger.Txn) error { return txn.Delete(o.key()) }))
		return "delete"
	case n < 37:
		check(o.t, o.db.DropPrefix([]byte(dropped)))
		return "drop"
	case n < 38:
		check(o.t, o.db.Close())
		o.open()
		return "reopen"
	case n < 39:
		check(o.t, o.db.Flatten(2))
		return "flatten"
	}
	if err := o.db.RunValueLogGC(0.1); err != nil && !errors.Is(err, badger.ErrNoRewrite) &&
		!errors.Is(err, badger.ErrRejected) {
		o.t.Fatal(err)
	}
	return "collect"
}

// dump is all that Badger has.
func (o *oracle) dump() map[string][]byte {
	all := map[string][]byte{}
	check(o.t, o.db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.DefaultIteratorOptions)
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			value, err := it.Item().ValueCopy(nil)
			check(o.t, err)
			all[string(it.Item().Key())] = value
		}
		return nil
	}))
	return all
}

// copied copies the files, as they are at one moment: again when Badger has meanwhile changed which there are.
func (o *oracle) copied() string {
	to := filepath.Join(o.t.TempDir(), "copy")
	for {
		check(o.t, os.RemoveAll(to))
		check(o.t, os.MkdirAll(to, 0o755))
		before := sizes(o.t, o.dir)
		same := true
		for name := range before {
			if err := copyFile(filepath.Join(o.dir, name), filepath.Join(to, name)); err != nil {
				same = false
			}
		}
		time.Sleep(5 * time.Millisecond)
		if after := sizes(o.t, o.dir); same && fmt.Sprint(before) == fmt.Sprint(after) {
			return to
		}
	}
}

func sizes(t *testing.T, dir string) map[string]int64 {
	entries, err := os.ReadDir(dir)
	check(t, err)
	all := map[string]int64{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != "LOCK" {
			all[e.Name()] = info.Size()
		}
	}
	return all
}

// copyFile copies a file up to its last byte of data, and leaves a hole for the rest.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	text, err := io.ReadAll(io.LimitReader(in, int64(extent(from, int(info.Size())))))
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(to, text, 0o600), os.Truncate(to, info.Size()))
}

// compare compares what is in a copy of the files with what Badger has.
func (o *oracle) compare(dir string, want map[string][]byte) {
	o.t.Helper()
	files, err := Open(dir)
	check(o.t, err)
	defer files.Close()
	if len(files.Damage())+len(files.CutOff()) > 0 {
		o.t.Errorf("damage: %v; cut off: %v", files.Damage(), files.CutOff())
	}
	got := keysOf(files)
	for _, key := range got {
		if want[key] == nil {
			o.t.Errorf("%q was deleted", key)
		}
	}
	if !slices.IsSorted(got) || len(got) != len(want) {
		o.t.Errorf("%d keys for %d", len(got), len(want))
	}
	salvaged, err := Salvage(dir)
	check(o.t, err)
	defer salvaged.Close()
	for key, value := range want {
		check(o.t, files.Check([]byte(key)))
		o.same(files, key, value)
		o.same(salvaged, key, value)
	}
	if len(salvaged.Damage()) > 0 {
		o.t.Errorf("salvage finds damage: %v", salvaged.Damage())
	}
	_, err = Verification{Report: func(d *Damage) { o.t.Errorf("verification finds %v", d) }}.Verify(dir)
	check(o.t, err)
}

// keysOf are all keys but Badger's own.
func keysOf(files *Files) (keys []string) {
	files.Keys(nil, func(key []byte) bool {
		if !strings.HasPrefix(string(key), "!badger!") {
			keys = append(keys, string(key))
		}
		return true
	})
	return keys
}

func (o *oracle) same(files *Files, key string, want []byte) {
	o.t.Helper()
	err := files.Get([]byte(key), func(value []byte) error {
		if !bytes.Equal(value, want) {
			o.t.Errorf("%q has another value of %d bytes, not %d", key, len(value), len(want))
		}
		return nil
	})
	if err != nil || !files.Has([]byte(key)) {
		o.t.Errorf("%q: %v", key, err)
	}
}

// TestOpen_IsWhatBadgerHas does random things to a Badger database. What Open and Salvage read of its files, while
// it is open and when it is closed, is what Badger says.
func TestOpen_IsWhatBadgerHas(t *testing.T) {
	for _, seed := range []uint64{1, testseed.New(t)} {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			o := newOracle(t, seed)
			var story []string
			for i := range 150 {
				story = append(story, o.step())
				if i%30 < 29 {
					continue
				}
				o.compare(o.copied(), o.dump())
				if t.Failed() {
					t.Fatal(story)
				}
			}
			want := o.dump()
			check(t, o.db.Close())
			o.compare(o.copied(), want)
			o.spoil(o.copied())
			t.Logf("%d keys, files: %v", len(want), sizes(t, o.dir))
		})
	}
}

// spoil damages a copy of the files. No key has a value then that it never had.
func (o *oracle) spoil(dir string) {
	for range 40 {
		names := slices.DeleteFunc(slices.Collect(keys(sizes(o.t, dir))),
			func(name string) bool { return name == "KEYREGISTRY" })
		slices.Sort(names)
		path := filepath.Join(dir, names[o.r.IntN(len(names))])
		info, err := os.Stat(path)
		check(o.t, err)
		size := extent(path, int(info.Size()))
		if size == 0 {
			continue
		}
		undo := flip(o.t, path, int64(o.r.IntN(size)), 1<<o.r.IntN(8))
		for _, read := range []func(string) (*Files, error){Open, Salvage} {
			files, err := read(dir)
			check(o.t, err)
			for _, key := range keysOf(files) {
				_ = files.Get([]byte(key), func(value []byte) error {
					if !slices.ContainsFunc(o.ever[key], func(old []byte) bool { return bytes.Equal(old, value) }) {
						o.t.Errorf("%s is damaged, and %q has a value that it never had", path, key)
					}
					return nil
				})
			}
			files.Close()
		}
		undo()
	}
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// flip flips bits of a byte; what it returns flips them back.
func flip(t *testing.T, path string, at int64, bits byte) (undo func()) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	check(t, err)
	var b [1]byte
	write := func() {
		_, err := file.ReadAt(b[:], at)
		check(t, err)
		b[0] ^= bits
		_, err = file.WriteAt(b[:], at)
		check(t, err)
	}
	write()
	return func() { write(); file.Close() }
}

// TestDamage_EveryByte flips a bit of every byte of a small database, one after the other. Open or Verification reports
// it, but for bytes that nothing depends on, and the last records of a log, where it looks like the end.
func TestDamage_EveryByte(t *testing.T) {
	o := newOracle(t, 5)
	check(t, o.db.Close())
	o.opts = o.opts.WithValueThreshold(32).WithMemTableSize(1 << 16)
	o.open()
	set := func(from, to int) {
		for i := from; i < to; i++ {
			check(t, o.db.Update(func(txn *badger.Txn) error {
				return txn.Set(fmt.Appendf(nil, "key%d", i), bytes.Repeat([]byte{'v'}, i*3))
			}))
		}
	}
	set(1, 16)
	check(t, o.db.Close()) // a table is made
	o.open()
	set(16, 20)
	want, dir := o.dump(), o.copied()
	o.compare(dir, want)
	kinds := map[string]int{}
	for name, size := range sizes(t, dir) {
		path := filepath.Join(dir, name)
		if name == "KEYREGISTRY" || name == "DISCARD" {
			continue // Badger's own: store checks the first, the second is a hint
		}
		text, err := os.ReadFile(path)
		check(t, err)
		end := len(bytes.TrimRight(text, "\x00"))
		kind := filepath.Ext(name)
		for at := range end {
			if (kind == ".mem" || kind == ".vlog") && at >= 8 && at < logHead {
				continue // the IV of a log that is not encrypted
			}
			kinds[kind]++
			undo := flip(t, path, int64(at), 1<<(at%8))
			if torn := kind == ".mem" && o.lacksTheEnd(dir, want); !torn && !reported(t, dir) {
				t.Errorf("%s of %d bytes: the flip of bit %d at %d is not reported", name, size, at%8, at)
			}
			undo()
		}
	}
	t.Logf("bytes flipped: %v", kinds)
	o.compare(dir, want)
}

// reported tells whether damage is found.
func reported(t *testing.T, dir string) bool {
	files, err := Open(dir)
	check(t, err)
	defer files.Close()
	found := len(files.Damage()) + len(files.CutOff())
	if found > 0 {
		return true
	}
	files.Keys(nil, func(key []byte) bool {
		if files.Check(key) != nil {
			found++
		}
		return true
	})
	_, err = Verification{Report: func(*Damage) { found++ }}.Verify(dir)
	check(t, err)
	return found > 0
}

// lacksTheEnd tells whether only the keys lack that were set last.
func (o *oracle) lacksTheEnd(dir string, want map[string][]byte) bool {
	files, err := Open(dir)
	check(o.t, err)
	defer files.Close()
	got := keysOf(files)
	for _, key := range got {
		o.same(files, key, want[key])
	}
	return len(got) == len(want)-1 && !slices.Contains(got, "key19")
}
