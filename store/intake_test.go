package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/layout"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/proof"
	"github.com/penstock-db/penstock/store/internal/transaction"
)

// A copy of a graph with the first commits of its log is the graph as it was after them.
func TestIntake_EveryCommit(t *testing.T) {
	seeds := testseed.Rand(t)
	for range 3 {
		seed := seeds.Uint64()
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { copyEveryCommit(t, seed) })
	}
}

func copyEveryCommit(t *testing.T, seed uint64) {
	h := newHistory(t, rand.New(rand.NewPCG(seed, 0)))
	defer func() { h.close() }()
	var worlds []*world // by commit
	log := uint64(0)
	for range 40 {
		h.step()
		c, err := h.db.Capture()
		must(t, err)
		g := c.Graphs[0]
		if g.Manifest().LogID() != log {
			log, worlds = g.Manifest().LogID(), []*world{h.world.clone()}
		}
		if int(g.Commits) == len(worlds) {
			worlds = append(worlds, h.world.clone())
		}
		if len(worlds) != int(g.Commits)+1 {
			t.Fatalf("there are %d commits instead of %d", g.Commits, len(worlds)-1)
		}
		c.Close()
	}
	c, err := h.db.Capture()
	must(t, err)
	defer c.Close()
	for commits, w := range worlds {
		dir := filepath.Join(scratch(t), "copy")
		in, err := NewIntake(dir, nil)
		must(t, err)
		must(t, c.Graphs[0].CopyTo(t.Context(), in, uint64(commits)))
		must(t, in.Finish(t.Context(), c.Generation, []*manifest.Manifest{c.Graphs[0].Manifest()}))
		must(t, in.Abandon())
		reopen(t, dir, func(db *DB) {
			tx, err := db.Begin(t.Context(), "g", transaction.ReadAccess)
			must(t, err)
			compareWorld(t, tx, w)
			tx.Rollback()
			change := begin(t, db, "g") // and goes on
			_, err = change.CreateNode(nil)
			must(t, errors.Join(err, change.Commit(t.Context()), db.Verify(t.Context(), "g")))
		})
	}
}

// What is not whole becomes no database, and nothing is left of it.
func TestIntake_RefusesWhatIsNotWhole(t *testing.T) {
	db := testDB(t)
	_, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}, [2]int{2, 3}), load.Options{})
	must(t, err)
	c, err := db.Capture()
	must(t, err)
	defer c.Close()
	parent := scratch(t)
	dir := filepath.Join(parent, "copy")
	in, err := NewIntake(dir, nil)
	must(t, err)
	for v := range c.Graphs[0].Manifest().Stored() {
		value, err := c.Graphs[0].ReadStored(t.Context(), v, nil)
		must(t, err)
		if v.Kind != "out-chunk" {
			must(t, in.Put(v.Key, value))
		}
	}
	var damaged *failure.DamagedError
	if err := in.Finish(t.Context(), c.Generation, []*manifest.Manifest{c.Graphs[0].Manifest()}); !errors.As(err,
		&damaged) || damaged.Kind != "out-chunk" {
		t.Error(err)
	}
	must(t, in.Abandon())
	left, err := os.ReadDir(parent)
	if err != nil || len(left) > 0 {
		t.Error(left, err)
	}
	if _, err := NewIntake(parent, nil); !errors.As(err, new(*failure.ExistsError)) {
		t.Error(err)
	}
}

// A flipped bit is found while a graph is copied, wherever it is.
func TestCopyTo_FindsFlippedBits(t *testing.T) {
	db := testDB(t)
	_, err := db.Load(t.Context(), "g", randomModel(rand.New(rand.NewPCG(7, 0)), db.mem, 20, 40), load.Options{})
	must(t, err)
	tx := begin(t, db, "g")
	_, err = tx.CreateNode([]base.Token{tx.NewLabel("A")})
	must(t, errors.Join(err, tx.Commit(t.Context())))
	c, err := db.Capture()
	must(t, err)
	defer c.Close()
	m := c.Graphs[0].Manifest()
	keys := [][]byte{layout.LogKey(m.LogID(), 1, 0)}
	for v := range m.Stored() {
		keys = append(keys, v.Key)
	}
	for _, key := range keys {
		var whole []byte
		must(t, db.badger.Update(func(txn *badger.Txn) error {
			return errors.Join(db.badger.Tree(txn).Read(key,
				func(value []byte) error { whole = append([]byte(nil), value...); return nil }),
				txn.Set(key, flipped(whole, len(whole)/2)))
		}))
		in, err := NewIntake(filepath.Join(scratch(t), "copy"), nil)
		must(t, err)
		if err := c.Graphs[0].CopyTo(t.Context(), in, 1); !errors.As(err, new(*failure.DamagedError)) {
			t.Errorf("%q: %v", key, err)
		}
		must(t, in.Abandon())
		must(t, db.badger.Update(func(txn *badger.Txn) error { return txn.Set(key, whole) }))
	}
}

func flipped(b []byte, at int) []byte {
	b = append([]byte(nil), b...)
	b[at] ^= 1
	return b
}

// Who reads only can capture as well, beside others; of a damaged database there is nothing to capture.
func TestCapture_ReadOnly(t *testing.T) {
	dir := scratch(t)
	reopen(t, dir, func(db *DB) {
		_, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}, [2]int{2, 3}), load.Options{})
		must(t, err)
	})
	var dbs []*DB
	for range 2 {
		db, err := Open(dir, Options{ReadOnly: true})
		must(t, err)
		defer db.Close()
		dbs = append(dbs, db)
	}
	c, err := dbs[0].Capture()
	must(t, err)
	in, err := NewIntake(filepath.Join(scratch(t), "copy"), nil)
	must(t, err)
	must(t, c.Graphs[0].CopyTo(t.Context(), in, c.Graphs[0].Commits))
	must(t, in.Finish(t.Context(), c.Generation, []*manifest.Manifest{c.Graphs[0].Manifest()}))
	must(t, in.Abandon())
	c.Close()
	dbs[1].found = &proof.Proof{Damage: []error{errors.New("a file is lost")}}
	if _, err := dbs[1].Capture(); !errors.As(err, new(*failure.DamagedDatabaseError)) {
		t.Error(err)
	}
	dbs[1].found = nil
}

// Commits in the order of their numbers bear their times; those of former versions have none.
func TestCommitHead(t *testing.T) {
	db := testDB(t)
	must(t, db.CreateGraph(t.Context(), "g"))
	began := time.Now()
	for range 3 {
		tx := begin(t, db, "g")
		_, err := tx.CreateNode(nil)
		must(t, errors.Join(err, tx.Commit(t.Context())))
	}
	s, err := db.Snapshot("g")
	must(t, err)
	defer s.Close()
	for number := range uint64(3) {
		must(t, s.ReadStoredCommit(t.Context(), number+1, func(key, value []byte) error {
			parts, at, err := CommitHead(key, value)
			if parts != 0 || at.Before(began) || at.After(time.Now()) {
				t.Error(number, parts, at)
			}
			began = at
			return err
		}))
	}
	old := layout.LogKey(1, 1, 0)
	if parts, at, err := CommitHead(old, layout.Seal(old, []byte{2})); parts != 2 || !at.IsZero() || err != nil {
		t.Error(parts, at, err)
	}
}
