package queue

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/formats/graph500"
	"github.com/penstock-db/penstock/host/internal/execute"
	"github.com/penstock-db/penstock/host/internal/execute/shipment"
	"github.com/penstock-db/penstock/host/internal/meter"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/report"
	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// stored is a graph of 2^scale vertices with weights, in chunks of so many bytes.
func stored(t *testing.T, rng *rand.Rand, scale int, chunkBytes int) *store.Snapshot {
	t.Helper()
	source, err := graph500.New(graph500.Options{Kind: graph500.RMAT, Scale: scale, EdgeFactor: 20, Seed: rng.Uint64(),
		Weights: true})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
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

// A chunk is its node's in every iteration, whatever else is low, and each is drawn once: a node's own first.
func TestShares_ChunksKeepTheirNode(t *testing.T) {
	rng := testseed.Rand(t)
	for range 200 {
		chunks, nodes := 1+rng.IntN(60), 1+rng.IntN(4)
		var low []int
		for number := range chunks {
			if rng.IntN(3) > 0 {
				low = append(low, number)
			}
		}
		rng.Shuffle(len(low), func(i, j int) { low[i], low[j] = low[j], low[i] })
		s, taken := deal(low, chunks, nodes), map[int]bool{}
		for node, share := range s.of {
			for _, number := range share {
				if alone := deal([]int{number}, chunks, nodes); len(alone.of[node]) != 1 {
					t.Errorf("chunk %d of %d is node %d's of %d, with others, and not alone", number, chunks, node, nodes)
				}
			}
		}
		node := rng.IntN(nodes)
		for i := 0; ; i++ {
			number, ok := s.draw(node)
			if !ok {
				break
			}
			if own := s.of[node]; taken[number] || i < len(own) && number != own[i] {
				t.Errorf("chunk %d is number %d that node %d draws; its own are %v", number, i, node, own)
			}
			taken[number] = true
		}
		if len(taken) != len(low) {
			t.Errorf("%d of %d chunks were drawn", len(taken), len(low))
		}
	}
}

// Tiles hold every list of an active vertex once, but for those that do not fit one.
func TestCutter_TilesHoldEveryList(t *testing.T) {
	rng := testseed.Rand(t)
	checkCutters(t, newEngines(t, rng, stored(t, rng, 11, 16<<10), 3, 0))
}

// Chunks that do not fit are cut into units. Where they do not stay in memory, a worker reads each once for all units
// that it has of it.
func TestCutter_ReadsAChunkOnce(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // one worker
	rng := testseed.Rand(t)
	e := newEngines(t, rng, stored(t, rng, 11, 100<<10), 0, 1)
	if !e.Plan.Fit.Cut || !e.Plan.Fit.Scarce || len(e.Units) < 2*len(e.Plan.Chunks) {
		t.Fatalf("%d units of %d chunks: %+v", len(e.Units), len(e.Plan.Chunks), e.Plan.Fit)
	}
	checkCutters(t, e)
	var all uint64
	for _, c := range e.Plan.Chunks {
		all += uint64(c.Size)
	}
	if read := e.Rec.Meter.Total().Read; read != all {
		t.Errorf("%d bytes are read of chunks of %d", read, all)
	}
}

// checkCutters has cutters cut all units, and looks at what they make of them.
func checkCutters(t *testing.T, e *Engines) {
	t.Helper()
	want := map[uint64]bool{}
	_, degrees := e.Lists(0)
	for v, degree := range degrees {
		if e.Active[v/64]>>(v%64)&1 != 0 && degree > 0 && uint64(degree) <= e.longest() {
			want[uint64(v)] = true
		}
	}
	ready := make(chan *shipment.Shipment)
	var all sync.WaitGroup
	defer all.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var numbers []int
	for i := range e.Units {
		numbers = append(numbers, i)
	}
	e.startCutters(ctx, &all, numbers, ready)
	for e.cutters > 0 {
		s := <-ready
		if s.Err != nil {
			t.Fatal(s.Err)
		}
		if s.Slot == nil {
			e.cutters--
			continue
		}
		e.checkTile(t, s, degrees, want)
		e.tiles <- s.Slot
	}
	all.Wait()
	if len(want) > 0 {
		t.Errorf("the lists of %d vertices are in no tile", len(want))
	}
}

// newEngines has room for so many chunks and a few tiles, or a part of a chunk, and some of its vertices are active.
// What it looks at stays in memory if there is so much for chunks; 0: all that is wanted.
func newEngines(t *testing.T, rng *rand.Rand, snap *store.Snapshot, chunks, machine uint64) *Engines {
	t.Helper()
	ctx := context.Background()
	c, err := plan.Bind(ctx, snap, plan.Request{Algorithm: "sssp", Params: map[string]string{"source": "0"},
		Schedule: "scaph"})
	if err != nil {
		t.Fatal(err)
	}
	vertices := snap.Manifest().Vertices
	layouts, occupied := plan.Layouts(c.Columns, vertices, 1, 0)
	at, size, err := c.Arena(snap, occupied, false, 1)
	if err != nil {
		t.Fatal(err)
	}
	cache, err := supply.NewCache(snap, at, size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cache.Close)
	largest := uint64(0)
	for _, info := range snap.Chunks(chunk.Out) {
		largest = max(largest, uint64(info.Bytes))
	}
	const fixed = 1000
	budget := fixed + chunks*largest + rng.Uint64N(largest)
	if chunks == 0 {
		budget = fixed + largest*9/10
	}
	degrees := make([]uint32, vertices)
	if err := snap.Degrees(ctx, snap.Chunks(chunk.Out)[0].Direction, degrees); err != nil {
		t.Fatal(err)
	}
	longest := func([]chunk.Direction) (plan.LongestList, error) {
		return plan.LongestList{Vertex: "hub", Edges: uint64(slices.Max(degrees))}, nil
	}
	p, err := plan.Agree(plan.Terms{Computation: c, Graph: snap, Devices: 1, Budget: budget, Machine: machine,
		Arena: at, Occupied: occupied, Longest: longest,
		Compile: func(task plugins.Task, _ []plugins.Layout, _ uint64) (plugins.Plan, error) {
			return plugins.Plan{Fixed: fixed, Directions: []chunk.Direction{snap.Chunks(chunk.Out)[0].Direction},
				ActiveRows: task.ActiveRows, Settles: task.Settle}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if !p.Streaming.Queue || len(p.Fit.Tiles) == 0 {
		t.Fatalf("%s: %+v; layouts %+v", p.Why(), p.Fit, layouts)
	}
	rec := meter.New(0, func(report.Span) {})
	l, err := shipment.NewLoader(ctx, &execute.Env{Plan: p, Snap: snap, Supply: supply.For(p, snap, cache, rec), Rec: rec})
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Active {
		l.Active[i] = rng.Uint64() | rng.Uint64()
	}
	if rest := vertices % 64; rest > 0 {
		l.Active[vertices/64] &= 1<<rest - 1
	}
	t.Cleanup(l.Supply.Release)
	return New(l)
}

// checkTile takes vertices whose whole lists are in a tile, and which are among its senders, out of want.
func (e *Engines) checkTile(t *testing.T, s *shipment.Shipment, degrees []uint32, want map[uint64]bool) {
	t.Helper()
	at := s.Uploads[0].At
	if at.Length > e.Plan.Fit.Tile || at.Offset != s.Slot.At.Offset {
		t.Fatalf("a tile of %d bytes has %d, at %d of %+v", e.Plan.Fit.Tile, at.Length, at.Offset, s.Slot.At)
	}
	bytes, err := e.Arena().Bytes(at)
	if err != nil {
		t.Fatal(err)
	}
	c, err := chunk.Open(bytes)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Release()
	if err := e.WriteSenders(e.Plan.Fit.Set, s.Senders); err != nil {
		t.Fatal(err)
	}
	senders, err := e.Arena().Uint64s(e.Plan.Fit.Set)
	if err != nil {
		t.Fatal(err)
	}
	for row, local := range c.Vertices() {
		v := c.Meta().Rows.Base + uint64(local)
		if degree := c.Offsets()[row+1] - c.Offsets()[row]; !want[v] || uint32(degree) != degrees[v] ||
			senders[v/64]>>(v%64)&1 == 0 {
			t.Fatalf("vertex %d with %d of %d edges: wanted %v", v, degree, degrees[v], want[v])
		}
		delete(want, v)
	}
}
