package store

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/store/internal/directory"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/load"
)

func TestSnapshot_PinsItsData(t *testing.T) {
	db := testDB(t)
	for what, remove := range map[string]func() error{
		"drop": func() error { return db.Drop(t.Context(), "g") },
		"replace": func() error {
			_, err := db.Load(t.Context(), "g", edgeModel([2]int{7, 7}), load.Options{Replace: true})
			return err
		},
	} {
		_, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}, [2]int{2, 3}), load.Options{Replace: true})
		must(t, err)
		s, err := db.Snapshot("g")
		must(t, err)
		also, err := db.Snapshot("g")
		must(t, err)
		must(t, remove())
		also.Close()
		also.Close()
		if _, edges := drain(t, s.Source(db.mem)); len(edges) != 2 {
			t.Errorf("%s took %d of 2 edges away", what, 2-len(edges))
		}
		s.Close()
		assertNothingUnnamed(t, db)
	}
}

// What a snapshot leaves behind that is closed while somebody has the writer's token is swept when that is given back:
// at once, and not by the next write.
func TestClose_WhileSomebodyWrites(t *testing.T) {
	db := testDB(t)
	_, err := db.Load(t.Context(), "g", edgeModel([2]int{1, 2}, [2]int{2, 3}), load.Options{})
	must(t, err)
	s, err := db.Snapshot("g")
	must(t, err)
	must(t, db.Drop(t.Context(), "g"))
	must(t, db.acquire(t.Context()))
	s.Close()
	live, err := db.live()
	must(t, err)
	left, err := live.Unnamed(t.Context(), db.badger)
	must(t, err)
	if len(left) == 0 {
		t.Fatal("it was swept while somebody wrote")
	}
	db.release()
	assertNothingUnnamed(t, db)
}

func TestDrop_Unknown(t *testing.T) {
	db := testDB(t)
	_, err := db.Load(t.Context(), "votes", edgeModel([2]int{1, 2}), load.Options{})
	must(t, err)
	var unknown *failure.UnknownGraphError
	if err := db.Drop(t.Context(), "vote"); !errors.As(err, &unknown) {
		t.Error(err)
	}
	if want := `no graph "vote" (did you mean "votes"?); the database holds votes`; unknown.Error() != want {
		t.Error(unknown)
	}
}

// Dropping a graph gives its space back: at once what an earlier process stored, and
// what this one stored when the database is opened the next time.
func TestDrop_FreesTheDisk(t *testing.T) {
	dir := scratch(t)
	reopen(t, dir, func(db *DB) { must(t, bigLoad(db, "kept")); must(t, bigLoad(db, "old")) })
	full := diskUsage(t, filepath.Join(dir, directory.DataDir))
	reopen(t, dir, func(db *DB) {
		must(t, db.Drop(context.Background(), "old"))
		if now := diskUsage(t, filepath.Join(dir, directory.DataDir)); now > full*3/4 {
			t.Errorf("%d of %d bytes stayed after the drop", now, full)
		}
		must(t, bigLoad(db, "new"))
		must(t, db.Drop(context.Background(), "new"))
	})
	reopen(t, dir, func(db *DB) {
		must(t, db.CollectGarbage(context.Background()))
		must(t, db.Verify(context.Background(), "kept"))
	})
	if now := diskUsage(t, filepath.Join(dir, directory.DataDir)); now > full*3/4 {
		t.Errorf("%d of %d bytes stayed in the end", now, full)
	}
}

// bigLoad loads some megabytes.
func bigLoad(db *DB, graph string) error {
	r := rand.New(rand.NewPCG(9, 9))
	m := edgeModel()
	for range 400_000 {
		m.edges = append(m.edges, modelEdge{src: randomID(r), dst: randomID(r)})
	}
	m.mem, m.typedFrom = memory.DefaultAllocator, len(m.edges)
	_, err := db.Load(context.Background(), graph, m, load.Options{ChunkBytes: 1 << 18})
	return err
}

func randomID(r *rand.Rand) string {
	return string('a'+rune(r.IntN(26))) + string('a'+rune(r.IntN(26)))
}

// diskUsage counts allocated blocks: Badger's logs are sparse.
func diskUsage(t *testing.T, dir string) (bytes int64) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if stat, ok := info.Sys().(*syscall.Stat_t); err == nil && ok {
			bytes += stat.Blocks * 512
		}
		return err
	}))
	return bytes
}
