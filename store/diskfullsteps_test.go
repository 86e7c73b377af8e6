//go:build linux

package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store/internal/snapshot"
	"github.com/penstock-db/penstock/store/internal/space"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// diskSteps are what a process does on a disk that is nearly full. The folder is that of the database; what they make
// beside it is on the same disk.
var diskSteps = map[string]func(ctx context.Context, db *DB, dir string, seed uint64) error{
	"load":     func(_ context.Context, db *DB, _ string, seed uint64) error { return crashLoad(db, "new", seed) },
	"replace":  func(_ context.Context, db *DB, _ string, seed uint64) error { return crashLoad(db, "old", seed) },
	"property": func(_ context.Context, db *DB, _ string, seed uint64) error { return crashProperty(db, newMark) },
	"commit":   diskCommits,
	"together": togetherCommits,
	"compact": func(ctx context.Context, db *DB, _ string, _ uint64) error {
		_, err := db.Compact(ctx, "g")
		return err
	},
	"garbage": func(ctx context.Context, db *DB, _ string, _ uint64) error { return db.CollectGarbage(ctx) },
	"create":  func(ctx context.Context, db *DB, _ string, _ uint64) error { return db.CreateGraph(ctx, "made") },
	"drop":    func(ctx context.Context, db *DB, _ string, _ uint64) error { return db.Drop(ctx, "spare") },
	"backup": func(ctx context.Context, db *DB, dir string, _ uint64) error {
		return makeBackup(ctx, db, dir, filepath.Join(filepath.Dir(dir), "backup"))
	},
	"restore": func(ctx context.Context, _ *DB, dir string, _ uint64) error {
		disk := filepath.Dir(dir)
		return restoreBackup(ctx, filepath.Join(disk, "earlier"), filepath.Join(disk, "restored"))
	},
	"recover": func(context.Context, *DB, string, uint64) error { return nil }, // opening is what it does
}

// newMark is the value that the step "property" writes everywhere; oldMark is there before.
const oldMark, newMark = 1, 7

func init() {
	for name, step := range diskSteps {
		children["full "+name] = func(dir string, seed uint64) error { return diskStep(dir, seed, step) }
	}
	children["full go on"] = diskGoOn
}

// diskStep opens the database, does a step, and reads on in what was open before it.
func diskStep(dir string, seed uint64, step func(ctx context.Context, db *DB, dir string,
	seed uint64) error) (err error) {
	ctx := context.Background()
	db, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	fmt.Println("working")
	s, err := db.Snapshot("old")
	if err != nil {
		return fmt.Errorf("%s: %w", readerFails, err)
	}
	defer s.Close()
	tx, err := db.Begin(ctx, "g", ReadAccess)
	if err != nil {
		return fmt.Errorf("%s: %w", readerFails, err)
	}
	defer tx.Rollback()
	nodes := tx.NodeCount()
	if err = step(ctx, db, dir, seed); err == nil {
		fmt.Println("done")
	}
	if failed := errors.Join(snapshot.Verify(ctx, s), readNodes(tx, nodes)); failed != nil {
		return errors.Join(err, fmt.Errorf("%s: %w", readerFails, failed))
	}
	return err
}

const readerFails = "a reader fails"

// readNodes reads the property that each node of the graph "g" has.
func readNodes(tx *Tx, nodes uint64) error {
	var failed error
	found := uint64(0)
	err := tx.Nodes(func(id uint64) bool {
		found++
		v, err := tx.NodeProperty(id, tx.NewKey("commit"))
		if err == nil && v.Kind() != value.Int {
			err = fmt.Errorf("node %d has no number", id)
		}
		failed = err
		return err == nil
	})
	if found != nodes && err == nil && failed == nil {
		failed = fmt.Errorf("%d of %d nodes", found, nodes)
	}
	return errors.Join(err, failed)
}

// diskCommits makes commits, some of which take megabytes, and compacts at the end of half of them.
func diskCommits(ctx context.Context, db *DB, _ string, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 1))
	for n := range 24 {
		if err := oneCommit(ctx, db, r); err != nil {
			return err
		}
		fmt.Println("committed")
		if n%12 == 5 {
			if _, err := db.Compact(ctx, "g"); err != nil {
				return err
			}
		}
	}
	return nil
}

// togetherGraphs are those that togetherCommits commits to.
var togetherGraphs = []string{"a", "b", "c"}

// togetherCommits makes large commits to several graphs, and a backup, at the same time: each finds space for itself.
func togetherCommits(ctx context.Context, db *DB, dir string, _ uint64) error {
	ended := make(chan error)
	for _, graph := range togetherGraphs {
		go func() {
			err := textCommit(ctx, db, graph, 24)
			if err == nil {
				fmt.Println("graph", graph)
			}
			ended <- err
		}()
	}
	go func() { ended <- makeBackup(ctx, db, dir, filepath.Join(filepath.Dir(dir), "backup")) }()
	var errs []error
	for range len(togetherGraphs) + 1 {
		errs = append(errs, <-ended)
	}
	return errors.Join(errs...)
}

// textCommit makes so many nodes, each with a text of 1 MiB, in one commit.
func textCommit(ctx context.Context, db *DB, graph string, nodes int) error {
	tx, err := db.Begin(ctx, graph, WriteAccess)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	text := strings.Repeat("y", 1<<20)
	for range nodes {
		id, err := tx.CreateNode(nil)
		if err != nil {
			return err
		}
		if err := tx.SetNodeProperty(id, tx.NewKey("text"), value.OfString(text)); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// fillTables makes commits to a graph that lie in Badger's tables, and take so many bytes there.
func fillTables(ctx context.Context, db *DB, graph string, bytes int) error {
	const size = (tree.ValueThreshold - 1<<10) * 3 / 4
	text := make([]byte, size)
	for i := range bytes / size {
		tx, err := db.Begin(ctx, graph, WriteAccess)
		if err != nil {
			return err
		}
		id, err := tx.CreateNode(nil)
		if err != nil {
			return err
		}
		for at := range text {
			text[at] = byte('a' + (at*i+i)%26)
		}
		if err := tx.SetNodeProperty(id, tx.NewKey("text"), value.OfString(string(text))); err != nil {
			return err
		}
		if err := tx.Commit(ctx); err != nil {
			return err
		}
	}
	return nil
}

func oneCommit(ctx context.Context, db *DB, r *rand.Rand) error {
	tx, err := db.Begin(ctx, "g", WriteAccess)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := crashCommit(tx, r); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// diskGoOn drops the graph "spare" on the full disk, then commits and loads.
func diskGoOn(dir string, seed uint64) (err error) {
	ctx := context.Background()
	db, err := Open(dir, Options{})
	if err != nil {
		return fmt.Errorf("open: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	unknown := (*UnknownGraphError)(nil)
	err = db.Drop(ctx, "spare")
	if errors.As(err, &unknown) { // the step has dropped it, and may have died before it gave the space back
		err = db.CollectGarbage(ctx)
	}
	if err != nil {
		return fmt.Errorf("drop: %w", err)
	}
	if err := oneCommit(ctx, db, rand.New(rand.NewPCG(seed, 3))); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	fmt.Println("committed")
	if _, err := db.Load(ctx, "small", edgeModel([2]int{1, 2}), LoadOptions{}); err != nil {
		return fmt.Errorf("load: %w", err)
	}
	fmt.Println("done")
	return nil
}

// spareLoad makes the graph "spare", so large that dropping it leaves room on a disk without a free byte. Half of it
// lies in value logs, half in tables.
func spareLoad(ctx context.Context, db *DB) error {
	const half = (space.WriteReserve + space.BallastSize) / 2
	return errors.Join(db.CreateGraph(ctx, "spare"), textCommit(ctx, db, "spare", half>>20),
		fillTables(ctx, db, "spare", half))
}
