package host

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
	"github.com/penstock-db/penstock/store"
)

// However many chunks stay on the device, and whichever engine sends them, the answer is the
// same, and the budget is kept to.
func TestRun_EnginesWithinAnyBudget(t *testing.T) {
	for _, name := range []string{"bfs", "sssp", "wcc", "widest-path"} {
		a, err := algorithms.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := seeded(t)
			g := random(rng, 2000, 30_000, name == "sssp", false, false)
			snap := g.stored(t, 12<<10)
			req := Request{Algorithm: name, Params: map[string]string{}, Threads: 1 + rng.IntN(3)}
			if len(a.Params) > 0 && a.Params[0].Name == "source" {
				req.Params["source"] = g.users[rng.IntN(len(g.users))]
			}
			needs, err := Estimate(context.Background(), snap, req)
			if err != nil {
				t.Fatal(err)
			}
			want := mustRun(t, snap, req)
			for share := range uint64(3) {
				req.DeviceMemory = needs.Resident - 1 - share*(needs.Resident-needs.Minimum)/4
				req.Schedule = fmt.Sprintf("scaph:alpha=%g,beta=%g,levels=%d", rng.Float64(), rng.Float64(), 1+rng.IntN(5))
				got := mustRun(t, snap, req)
				if !same(got.Columns, want.Columns) {
					t.Errorf("%s, %d bytes: another result than with all chunks on the device", req.Schedule, req.DeviceMemory)
				}
				if got.Report.PeakDeviceBytes > req.DeviceMemory || got.Report.Schedule != req.Schedule {
					t.Errorf("%s, %d bytes: peak %d, schedule %s", req.Schedule, req.DeviceMemory, got.Report.PeakDeviceBytes, got.Report.Schedule)
				}
			}
		})
	}
}

// A chunk that stays is not sent again: with room for all but one of them, and every chunk of
// high value, iterations after the first send less than that did.
func TestRun_ChunksOfHighValueStay(t *testing.T) {
	snap := random(seeded(t), 3000, 50_000, false, false, false).stored(t, 12<<10)
	needs, err := Estimate(context.Background(), snap, Request{Algorithm: "wcc"})
	if err != nil {
		t.Fatal(err)
	}
	req := Request{Algorithm: "wcc", Schedule: "scaph:alpha=0,beta=0", DeviceMemory: needs.Resident - 1}
	iterations := mustRun(t, snap, req).Report.PerIteration
	first := iterations[0].Bytes.Transfer
	for _, it := range iterations[1:] {
		if it.Bytes.Transfer >= first {
			t.Errorf("iteration %d sends %d bytes, the first sent %d", it.Number, it.Bytes.Transfer, first)
		}
	}
}

// What waits on a link that hardly carries anything ends when nobody wants it any more.
func TestRun_EnginesEndWithTheContext(t *testing.T) {
	snap := random(seeded(t), 3000, 50_000, false, false, false).stored(t, 12<<10)
	needs, err := Estimate(context.Background(), snap, Request{Algorithm: "wcc"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	req := Request{Algorithm: "wcc", Schedule: "scaph", DeviceMemory: needs.Resident * 2 / 3, LinkBandwidth: 1}
	_, err = Run(ctx, snap, req, Events{Iterated: func(IterationReport) { time.AfterFunc(10*time.Millisecond, cancel) }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Slots, tiles and the set of senders lie beside each other and within what there is.
func TestPlaceEngines_KeepsToTheBudget(t *testing.T) {
	rng := seeded(t)
	snap := random(rng, 300, 4000, false, false, false).stored(t, 4096)
	for range 500 {
		r := &run{snap: snap, settling: true, budget: 1 + rng.Uint64N(1<<24), chunks: make([]piece, 1+rng.IntN(40))}
		r.fit.largest = aligned(1 + rng.Uint64N(1<<20))
		fixed := rng.Uint64N(r.budget)
		r.kernel.Fixed, r.fit.used = fixed, fixed
		room := slotBytes(r.fit.largest) + wholePages(r.setBytes())
		r.warm = &warm{columns: uint64(len(r.chunks)+maxSlots) * room}
		r.placeEngines()
		if r.fit.used > r.budget || len(r.fit.slots) > len(r.chunks) || len(r.fit.tiles) > tilesOfChunk {
			t.Fatalf("budget %d, of which %d are taken: %+v", r.budget, fixed, r.fit)
		}
		if (len(r.fit.slots) > 0) != (len(r.fit.tiles) > 0) || (r.fit.capacity > 0) != (len(r.fit.slots) > 0) {
			t.Fatalf("one engine has room, the other none: %+v", r.fit)
		}
		places := []arena.Range{r.fit.set}
		for _, s := range slices.Concat(r.fit.slots, r.fit.tiles) {
			places = append(places, s.at)
		}
		slices.SortFunc(places, func(a, b arena.Range) int { return int(int64(a.Offset) - int64(b.Offset)) })
		end := uint64(0)
		for _, at := range places {
			if at.Offset < end || at.Offset%arena.Align != 0 {
				t.Fatalf("%+v begins before %d", at, end)
			}
			end = at.End()
		}
		if end > r.warm.columns {
			t.Fatalf("the last place ends at %d of %d", end, r.warm.columns)
		}
	}
}

// Divided senders are the same vertices, each in one part.
func TestSenderSet_PartsAreDisjoint(t *testing.T) {
	rng := seeded(t)
	for range 300 {
		active := make([]uint64, 8)
		for i := range active {
			active[i] = rng.Uint64() & rng.Uint64()
		}
		base := rng.Uint64N(400)
		all := takeSenders(active, chunk.Interval{Base: base, Count: 2 + rng.Uint64N(510-base)})
		parts := []senderSet{all}
		for range rng.IntN(4) {
			last := parts[len(parts)-1]
			if last.Count < 2 {
				break
			}
			at := last.Base + 1 + rng.Uint64N(last.Count-1)
			parts = append(parts[:len(parts)-1], last.before(at), last.from(at))
		}
		want, got := make([]uint64, 8), make([]uint64, 8)
		all.addTo(want)
		for _, part := range parts {
			one := make([]uint64, 8)
			part.addTo(one)
			for i := range one {
				if one[i]&got[i] != 0 {
					t.Fatalf("a vertex of %+v is in two of %+v", all, parts)
				}
				got[i] |= one[i]
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%+v of %+v: %x, want %x", parts, all, got, want)
		}
	}
}

// Tiles hold every list of an active vertex once, but for those that do not fit one.
func TestCutter_TilesHoldEveryList(t *testing.T) {
	rng := seeded(t)
	e := cutterRig(t, rng, random(rng, 2000, 40_000, true, false, false).stored(t, 16<<10))
	want := map[uint64]bool{}
	for v, degree := range e.degrees[chunk.Out] {
		if e.active[v/64]>>(v%64)&1 != 0 && degree > 0 && uint64(degree) <= e.longest() {
			want[uint64(v)] = true
		}
	}
	ready := make(chan *shipment)
	var all sync.WaitGroup
	e.startCutters(t.Context(), &all, e.allChunks(), ready)
	for e.cutters > 0 {
		s := <-ready
		if s.err != nil {
			t.Fatal(s.err)
		}
		if s.slot == nil {
			e.cutters--
			continue
		}
		e.checkTile(t, s, want)
		e.tiles <- s.slot
	}
	all.Wait()
	if len(want) > 0 {
		t.Errorf("the lists of %d vertices are in no tile", len(want))
	}
}

// cutterRig is engines with room for a few tiles, some of whose vertices are active.
func cutterRig(t *testing.T, rng *rand.Rand, snap *store.Snapshot) *engines {
	t.Helper()
	const size = 16 << 20
	memory, err := arena.Create(size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := memory.Close(); err != nil {
			t.Error(err)
		}
	})
	r := newRun(t.Context(), snap, Request{}, Events{})
	r.settling, r.edgeNames, r.views = true, []string{"weight"}, map[int]*chunk.Chunk{}
	r.arena, r.warm = memory, &warm{arena: memory, columns: size}
	if r.chunks, err = r.pieces(chunk.Out); err != nil {
		t.Fatal(err)
	}
	for _, c := range r.chunks {
		r.fit.largest = max(r.fit.largest, aligned(c.device))
	}
	r.budget = 2*r.fit.largest + rng.Uint64N(r.fit.largest)
	r.placeEngines()
	n := snap.Manifest().Vertices
	r.degrees = map[chunk.Direction][]uint32{chunk.Out: make([]uint32, n)}
	if err := snap.Degrees(t.Context(), chunk.Out, r.degrees[chunk.Out]); err != nil {
		t.Fatal(err)
	}
	for range (n + 63) / 64 {
		r.active = append(r.active, rng.Uint64()|rng.Uint64())
	}
	r.active[n/64] &= 1<<(n%64) - 1
	return r.newEngines()
}

// checkTile takes those whose whole lists are in a tile, and who are among its senders, out of want.
func (e *engines) checkTile(t *testing.T, s *shipment, want map[uint64]bool) {
	t.Helper()
	at := s.uploads[0].At
	if at.Length > e.fit.tile || at.Offset != s.slot.at.Offset {
		t.Fatalf("a tile of %d bytes has %d, at %d of %+v", e.fit.tile, at.Length, at.Offset, s.slot.at)
	}
	bytes, err := e.arena.Bytes(at)
	if err != nil {
		t.Fatal(err)
	}
	c, err := chunk.Open(bytes)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Release()
	senders := make([]uint64, len(e.active))
	for _, part := range s.senders {
		part.addTo(senders)
	}
	for row, local := range c.Vertices() {
		v := c.Meta().Rows.Base + uint64(local)
		if degree := c.Offsets()[row+1] - c.Offsets()[row]; !want[v] || uint32(degree) != e.degrees[chunk.Out][v] || senders[v/64]>>(v%64)&1 == 0 {
			t.Fatalf("vertex %d with %d of %d edges: wanted %v", v, degree, e.degrees[chunk.Out][v], want[v])
		}
		delete(want, v)
	}
}

// A device that dies or takes too much while both engines are at work ends the run with that.
func TestRun_EnginesEndWithTheDevice(t *testing.T) {
	snap := random(seeded(t), 2000, 30_000, false, false, false).stored(t, 12<<10)
	needs, err := Estimate(context.Background(), snap, Request{Algorithm: "wcc"})
	if err != nil {
		t.Fatal(err)
	}
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for script, kind := range map[string]plugins.Kind{"die at settle 2": plugins.KindDied, "die at evict 1": plugins.KindDied, "exceed at upload 5": plugins.KindBudget} {
		t.Setenv(faultsVariable, script)
		req := Request{Algorithm: "wcc", Schedule: "scaph", Device: self, DeviceMemory: needs.Minimum + (needs.Resident-needs.Minimum)/2}
		if _, err := Run(context.Background(), snap, req, Events{}); plugins.KindOf(err) != kind {
			t.Errorf("%s: error %v", script, err)
		}
	}
}
