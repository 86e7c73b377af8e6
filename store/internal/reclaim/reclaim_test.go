package reclaim

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/tree"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// values is a database of large values, and what each key must lead to.
type values struct {
	badger *tree.Badger
	random *rand.Rand
	want   map[uint32][]byte
}

func (v *values) key(number uint32) []byte {
	return layout.Piece{Generation: 1, Kind: layout.ColumnKind}.Key(number)
}

// write writes n of the values anew, and deletes some.
func (v *values) write(t *testing.T, n int) {
	t.Helper()
	batch := v.badger.NewWriteBatch()
	for range n {
		number := v.random.Uint32N(100)
		if v.random.IntN(4) == 0 {
			delete(v.want, number)
			must(t, batch.Delete(v.key(number)))
			continue
		}
		value := make([]byte, tree.ValueThreshold+v.random.IntN(tree.ValueThreshold))
		for i := 0; i+8 <= len(value); i += 8 {
			binary.LittleEndian.PutUint64(value[i:], v.random.Uint64())
		}
		v.want[number] = value
		must(t, batch.Set(v.key(number), value))
	}
	must(t, errors.Join(batch.Flush(), v.badger.SyncAll()))
}

// check compares all values.
func (v *values) check(t *testing.T) {
	t.Helper()
	must(t, v.badger.View(func(txn *badger.Txn) error {
		for number := range uint32(100) {
			var got []byte
			err := v.badger.Tree(txn).Read(v.key(number), func(value []byte) error {
				got = bytes.Clone(value)
				return nil
			})
			if want, ok := v.want[number]; !bytes.Equal(got, want) || ok != (err == nil) {
				t.Fatalf("value %d has %d bytes instead of %d, or others: %v", number, len(got), len(want), err)
			}
		}
		return nil
	}))
}

// open opens a database of values in a new folder.
func open(t *testing.T, seed uint64) (string, *values, *snapshot.FilesInUse, *Reclaimer) {
	t.Helper()
	dir := t.TempDir()
	b, err := tree.Open(directory.Data(dir), nil)
	must(t, err)
	t.Cleanup(func() { b.Close() })
	files := &snapshot.FilesInUse{}
	r := New(dir, b, new(sync.Mutex), files, slog.New(slog.DiscardHandler))
	files.Last = func(spare int64) bool { return r.Owed(context.Background(), spare) }
	return dir, &values{badger: b, random: rand.New(rand.NewPCG(seed, 1)), want: map[uint32][]byte{}}, files, r
}

// However values are written and deleted, all that is live stays, and the waste is within its limit afterwards. While
// files are in use nothing is rewritten, and the last that leaves makes up for it.
func TestReclaim(t *testing.T) {
	for seed := range uint64(3) {
		dir, v, files, r := open(t, seed)
		none := func(func(tree.Tree) error) error { return nil }
		s := snapshot.NewReader(none, nil, files).Open(&manifest.Manifest{}, func() {})
		for range 3 {
			v.write(t, 200)
			kept := s.KeepFiles()
			before, err := tree.LogNumbers(directory.Data(dir))
			must(t, err)
			must(t, r.Reclaim(t.Context(), 0))
			for _, number := range before {
				if _, err := os.Stat(tree.LogPath(directory.Data(dir), number)); err != nil {
					t.Fatalf("seed %d: a log in use is gone: %v", seed, err)
				}
			}
			v.check(t)
			kept.Release()
			v.check(t)
			logs, err := r.Logs()
			must(t, err)
			if limit := logs.Live()/2 + 2*NewLogCost; logs.Waste() > limit {
				t.Errorf("seed %d: %d bytes are live, and %d wasted", seed, logs.Live(), logs.Waste())
			}
		}
	}
}

// A log with a damaged record before its last live value stays as it is, and is reported.
func TestReclaim_Damaged(t *testing.T) {
	dir, v, _, r := open(t, 9)
	v.write(t, 200)
	v.write(t, 100)
	logs, err := r.Logs()
	must(t, err)
	first := logs[0]
	if first.live == 0 || first.waste() < first.size/3 {
		t.Fatalf("%d bytes are live, and %d wasted: nothing is tested", first.live, first.waste())
	}
	path := tree.LogPath(directory.Data(dir), first.number)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	defer file.Close()
	_, err = file.WriteAt([]byte("damage"), tree.VlogHeader+1000) // in the middle of the first value
	must(t, err)
	before, err := os.ReadFile(path)
	must(t, err)
	if err := r.Reclaim(t.Context(), 0); !errors.As(err, new(*failure.DamagedError)) {
		t.Errorf("a damaged log gives the error %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the damaged log has %d bytes instead of %d, or others: %v", len(after), len(before), err)
	}
}

// The log with the most waste comes first, the newest never.
func TestLogs_Next(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		var logs Logs
		passed := map[uint64]bool{}
		for i := range r.IntN(6) {
			size := 1 + r.Int64N(1000)
			logs = append(logs, Log{number: uint64(i), size: size, live: r.Int64N(size + 1)})
			passed[uint64(i)] = r.IntN(4) == 0
		}
		spare := r.Int64N(2) * r.Int64N(500)
		next, ok := logs.next(spare, passed)
		due := func(l Log) bool { return logs.TooMuch(spare) || spare == 0 && l.waste() >= l.size/3 }
		for i, l := range logs {
			rewritable := i < len(logs)-1 && !passed[l.number] && l.waste() > 0 && due(l)
			if rewritable && (!ok || l.waste() > next.waste()) {
				t.Errorf("seed %d: log %d wastes %d, and %v is next", seed, l.number, l.waste(), next)
			}
		}
		if ok && (next.number == uint64(len(logs)-1) || passed[next.number] || next.waste() == 0 || !due(next)) {
			t.Errorf("seed %d: %v is next of %v with %d spare", seed, next, logs, spare)
		}
	}
}
