package host

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// largeChunks is so much that chunks are in value logs, where devices can read them.
const largeChunks = 1 << 17

func skipWithoutMapping(t *testing.T) {
	t.Helper()
	if !arena.CanMapFiles {
		t.Skip("devices map files on Linux only: run it there")
	}
}

// Chunks that a device reads where they are stored, in one column of several, take nothing
// of the arena, and the result is right and that of a streamed run to the bit.
func TestRun_ReadsChunksInFiles(t *testing.T) {
	skipWithoutMapping(t)
	rng := testseed.Rand(t)
	g := random(rng, 1000, 20_000, rng.IntN(2) == 0, false, false)
	snap := g.stored(t, largeChunks)
	for _, req := range []Request{
		{Algorithm: "pagerank"}, {Algorithm: "lcc"},
		{Algorithm: "sssp", Params: map[string]string{"source": g.users[7], "weight": "toll"}},
		{Algorithm: "sssp", Params: map[string]string{"source": g.users[7], "weight": "weight"}},
	} {
		a, err := catalog.Lookup(req.Algorithm)
		if err != nil {
			t.Fatal(err)
		}
		args, err := a.Bind(req.Params, g.env())
		if err != nil {
			t.Fatal(err)
		}
		mapped := mustRun(t, snap, req)
		if err := a.Verify(g.inMemory(), args, mapped.Columns); err != nil {
			t.Errorf("%+v: %v", req, err)
		}
		if r := mapped.Report; r.ArenaBytes > 1000*8*8 || r.Bytes.Storage < 20_000*4 || r.PeakDeviceBytes < 20_000*4 {
			t.Errorf("%+v: %d bytes of arena, %d from storage, a peak of %d", req, r.ArenaBytes, r.Bytes.Storage,
				r.PeakDeviceBytes)
		}
		if a.Procedure != nil {
			continue
		}
		req.Schedule = "whole"
		if streamed := mustRun(t, snap, req); !same(streamed.Columns, mapped.Columns) {
			t.Errorf("%+v: another result when streamed", req)
		}
	}
}

// An edge without a value is found and named in such chunks as well.
func TestRun_MissingEdgeValueInFile(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 1000, 20_000, true, true, false)
	at := rng.IntN(len(g.edges))
	source, target := g.users[g.edges[at].Src], g.users[g.edges[at].Dst]
	snap := gappy{g, at, -1, -1}.stored(t, largeChunks)
	_, err := Run(context.Background(), snap, Request{Algorithm: "sssp",
		Params: map[string]string{"source": source, "weight": "toll"}}, Events{})
	var missing *MissingValueError
	if !errors.As(err, &missing) || missing.Source != source || missing.Target != target {
		t.Errorf("error %v; the edge is %s → %s", err, source, target)
	}
}

// reopened is a database whose graph g is in a log that is written to no more.
func reopened(t *testing.T, g *sample) (*store.DB, string) {
	t.Helper()
	dir := t.TempDir()
	var db *store.DB
	for _, step := range []func() error{
		func() (err error) { db, err = store.Open(dir, store.Options{Create: true}); return err },
		func() error {
			_, err := db.Load(context.Background(), "g", g, store.LoadOptions{ChunkBytes: largeChunks})
			return err
		},
		func() error { return db.Close() },
		func() (err error) { db, err = store.Open(dir, store.Options{}); return err },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { db.Close() })
	return db, filepath.Join(dir, "badger", "000001.vlog")
}

// A run that streams reads in no file, and keeps none from being removed.
func TestRun_StreamedKeepsNoFiles(t *testing.T) {
	g := random(testseed.Rand(t), 1000, 20_000, false, false, false)
	db, log := reopened(t, g)
	if _, err := db.Load(context.Background(), "h", g, store.LoadOptions{ChunkBytes: largeChunks}); err != nil {
		t.Fatal(err)
	}
	snap, err := db.Snapshot("h")
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	drop := func(i IterationReport) {
		if i.Number == 1 {
			err = errors.Join(db.Drop(context.Background(), "g"), db.CollectGarbage(context.Background()))
		}
	}
	_, runErr := Run(context.Background(), snap, Request{Algorithm: "pagerank", Schedule: "whole"}, Events{Iterated: drop})
	if err := errors.Join(err, runErr); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(log); err == nil {
		t.Errorf("%d bytes are left of the log of a dropped graph", info.Size())
	}
}

// What an idle device reads stays in the file system although the graph is dropped, until
// the device ends.
func TestEngine_FilesStayWhileDevicesReadThem(t *testing.T) {
	skipWithoutMapping(t)
	rng := testseed.Rand(t)
	db, log := reopened(t, random(rng, 1000, 20_000, false, false, false))
	size := func() int64 {
		info, err := os.Stat(log)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	before := size()
	snap, err := db.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	e := engine(t)
	runOn(t, e, snap, Request{Algorithm: "pagerank"})
	snap.Close()
	if err := errors.Join(db.Drop(context.Background(), "g"), db.CollectGarbage(context.Background())); err != nil ||
		size() != before {
		t.Errorf("%d bytes of %d, %v", size(), before, err)
	}
	e.Forget("another") // ends whatever keeps the store from giving space back
	if size() != 0 {
		t.Errorf("%d bytes are left", size())
	}
}
