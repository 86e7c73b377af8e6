package host

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/formats"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// Where memory is scarce, a search reads those pages of its chunks that its lists lie in. It is the same search, with
// all that it is sent, as where chunks can only be read whole.
func TestScarce_SearchReadsPages(t *testing.T) {
	rng := testseed.Rand(t)
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 16, EdgeFactor: 16, Seed: rng.Uint64()})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	snap := loaded(t, source)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": linkedOf(t, snap)}, Threads: 2,
		DeviceMemory: 4 << 20, Schedule: "auto"}
	want := mustRun(t, snap, Request{Algorithm: req.Algorithm, Params: req.Params})
	run := func() *Result {
		got, _ := runOn(t, &Engine{memory: 1, machine: 1 << 30}, snap, req)
		if !same(got.Columns, want.Columns) {
			t.Errorf("another result, after %d iterations", got.Report.Iterations)
		}
		return got
	}
	parts := run()
	past := parts.Report.Uncached
	if past == nil || past.Cached > 0 {
		t.Skipf("TMPDIR has no direct reads (O_DIRECT): set it to a folder of ext4 or XFS: %+v", past)
	}
	if past.Whole > 0 {
		t.Errorf("%d chunks were read whole: %s", past.Whole, past.WhyWhole)
	}
	chunks := snap.Manifest().Both
	for i := range chunks {
		chunks[i].Pages = nil // as earlier programs have left it
	}
	whole := run()
	a, b := parts.Report, whole.Report
	if past := b.Uncached; past.Whole != past.Chunks || !strings.Contains(past.WhyWhole, "no checksums") {
		t.Errorf("without checksums of pages, each chunk is read whole: %+v", past)
	}
	t.Logf("%d bytes read instead of %d, in %d looks", a.Bytes.Storage, b.Bytes.Storage, a.Uncached.Chunks)
	if a.Bytes.Transfer > b.Bytes.Transfer || a.Iterations != b.Iterations || a.Uncached.Chunks != b.Uncached.Chunks {
		t.Errorf("%+v in %d iterations; read whole %+v in %d", a.Bytes, a.Iterations, b.Bytes, b.Iterations)
	}
	if 10*a.Bytes.Storage > 7*b.Bytes.Storage {
		t.Errorf("%d bytes were read; whole chunks are %d", a.Bytes.Storage, b.Bytes.Storage)
	}
}

// Where memory is scarce, chunks that are read over and over are read of packed copies, at least the one that shows
// whether they pay: less is read, and the result has the same bits, with weights or without.
func TestScarce_PackedCopies(t *testing.T) {
	rng := testseed.Rand(t)
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 14, EdgeFactor: 16, Seed: rng.Uint64(),
		Weights: true})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	snap := loadedIn(t, source, 256<<10)
	for _, req := range []Request{{Algorithm: "pagerank"},
		{Algorithm: "sssp", Params: map[string]string{"source": linkedOf(t, snap), "weight": "weight"}}} {
		req.Threads, req.Schedule, req.DeviceMemory, req.Synchronous = 2, "whole", 2<<20, true
		want := mustRun(t, snap, req)
		got, _ := runOn(t, &Engine{memory: 1, machine: 1 << 30}, snap, req)
		if !same(got.Columns, want.Columns) {
			t.Errorf("%s has another result", req.Algorithm)
		}
		past := got.Report.Uncached
		if past == nil || past.Chunks == 0 || past.Copies == nil || past.Copies.Why != "" {
			t.Skipf("TMPDIR has no direct reads (O_DIRECT): set it to a folder of ext4 or XFS: %+v", past)
		}
		done := *past.Copies
		t.Logf("%s: %+v; %d bytes read instead of %d", req.Algorithm, done, got.Report.Bytes.Storage,
			want.Report.Bytes.Storage)
		if done.Copies == 0 || done.Reads == 0 || done.Lost > 0 || done.Bytes >= done.ChunkBytes {
			t.Errorf("%s: no copies, or not smaller: %+v", req.Algorithm, done)
		}
		// With weights copies spare less than what is sometimes read in vain, of chunks that no vertex sends along.
		if req.Algorithm == "pagerank" && got.Report.Bytes.Storage >= want.Report.Bytes.Storage {
			t.Errorf("no less was read: %+v", done)
		}
	}
}

// Where memory is scarce, far vertices do not wait for near ones until their chunks are read once more: shortest paths
// read about what they read where none ever waits, though auto makes far ones wait. How many are near follows from
// times that were measured, which other work on the machine draws out: the least of some runs counts.
func TestScarce_NoneWaitsForAnotherReading(t *testing.T) {
	rng := testseed.Rand(t)
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 13, EdgeFactor: 16, Seed: rng.Uint64(),
		Weights: true})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	snap := loadedIn(t, source, 64<<10)
	req := Request{Algorithm: "sssp", Params: map[string]string{"source": linkedOf(t, snap)}, Threads: 2}
	want := mustRun(t, snap, req)
	read := func(schedule string) uint64 {
		limited := req
		limited.Schedule, limited.DeviceMemory = schedule, 1<<20
		got, _ := runOn(t, &Engine{memory: 1, machine: 1 << 30}, snap, limited)
		if r := got.Report; !same(got.Columns, want.Columns) || r.Uncached == nil {
			t.Errorf("%s: another result, or nothing was read past the cache: %+v", schedule, r.Uncached)
		}
		t.Logf("%s: %d bytes read in %d iterations", schedule, got.Report.Bytes.Storage, got.Report.Iterations)
		return got.Report.Bytes.Storage
	}
	auto, never := read("auto"), read("subway")
	for range 4 {
		if 2*auto > 3*never {
			auto = min(auto, read("auto"))
		}
	}
	if 2*auto > 3*never {
		t.Errorf("auto read %d bytes at least; where none waits, %d are read", auto, never)
	}
}

// A bit that flips in a page that is read ends the run, with the chunk's number, as where the chunk is read whole.
func TestScarce_DamagedPage(t *testing.T) {
	rng := testseed.Rand(t)
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: 14, EdgeFactor: 16, Seed: rng.Uint64()})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	snap := loaded(t, source)
	from, info := linkedOf(t, snap), snap.Manifest().Both[0]
	at, err := snap.LocateChunk(t.Context(), info, nil, func(*chunk.Chunk) bool { return true })
	if err != nil {
		t.Skip("the system does not tell where chunks lie: ", err)
	}
	file, err := os.OpenFile(at.Path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	flipped := []byte{0}
	offset := at.Offset + info.Bytes - 4*int64(info.Edges) // among the first neighbors
	if _, err := file.ReadAt(flipped, offset); err != nil {
		t.Fatal(err)
	}
	flipped[0] ^= 4
	if _, err := file.WriteAt(flipped, offset); err != nil {
		t.Fatal(err)
	}
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": from}, DeviceMemory: 1 << 20,
		Schedule: "subway", Synchronous: true}
	e := &Engine{memory: 1, machine: 1 << 30}
	var damaged *store.DamagedError
	if _, err := e.Run(t.Context(), snap, req, Events{}); !errors.As(err, &damaged) || damaged.Number != 0 {
		t.Errorf("error %v", err)
	}
}

// linkedOf is the first vertex of those that have edges: a search from it reads what chunks begin with.
func linkedOf(t *testing.T, snap *store.Snapshot) string {
	t.Helper()
	degrees := mustRun(t, snap, Request{Algorithm: "degree"}).Columns[0].Floats
	ids, err := snap.UserIDs(t.Context(), 0, uint64(len(degrees)))
	if err != nil {
		t.Fatal(err)
	}
	return ids.Text(slices.IndexFunc(degrees, func(edges float64) bool { return edges > 0 }))
}

// loaded is what a source has, in chunks of the usual size.
func loaded(t *testing.T, source formats.Source) *store.Snapshot {
	t.Helper()
	return loadedIn(t, source, 0)
}

// loadedIn is what a source has, in chunks of about so many bytes.
func loadedIn(t *testing.T, source formats.Source, chunkBytes int) *store.Snapshot {
	t.Helper()
	db, err := store.Open(t.TempDir(), store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := db.Load(t.Context(), "g", source, store.LoadOptions{ChunkBytes: chunkBytes}); err != nil {
		t.Fatal(err)
	}
	snap, err := db.Snapshot("g")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(snap.Close)
	return snap
}
