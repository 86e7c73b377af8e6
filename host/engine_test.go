package host

import (
	"context"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/host/internal/pool"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// engine is one that keeps devices for longer than the test takes.
func engine(t testing.TB) *Engine {
	t.Helper()
	e := NewEngine(time.Hour)
	t.Cleanup(e.Close)
	return e
}

// runOn runs and tells the plugin's process.
func runOn(t *testing.T, e *Engine, snap *store.Snapshot, req Request) (*Result, int) {
	t.Helper()
	var pid int
	result, err := e.Run(context.Background(), snap, req, Events{Launched: func(l Launch) { pid = l.PID }})
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	return result, pid
}

// The second run on a graph is given the device of the first and reads nothing; what it
// computes is the same.
func TestEngine_SecondRunFindsTheChunks(t *testing.T) {
	for _, directed := range []bool{true, false} {
		snap := random(testseed.Rand(t), 300, 3000, directed, false, false).stored(t, 2048)
		e := engine(t)
		first, pid := runOn(t, e, snap, Request{Algorithm: "pagerank"})
		for range 2 {
			again, second := runOn(t, e, snap, Request{Algorithm: "pagerank"})
			if second != pid || again.Report.Bytes.Storage != 0 || first.Report.Bytes.Storage == 0 {
				t.Errorf("process %d after %d; %d bytes read after %d", second, pid, again.Report.Bytes.Storage,
					first.Report.Bytes.Storage)
			}
			if !same(again.Columns, first.Columns) {
				t.Error("the second run has another result")
			}
		}
	}
}

// A run on an engine that has expected it has the device that was started before.
func TestEngine_RunHasTheExpectedDevice(t *testing.T) {
	snap := random(testseed.Rand(t), 30, 90, true, false, false).stored(t, 2048)
	e := NewExpecting(0, Expected{Device: true})
	t.Cleanup(e.Close)
	before := e.ahead.Started()
	if _, pid := runOn(t, e, snap, Request{Algorithm: "pagerank"}); pid != before {
		t.Errorf("it ran in process %d, and %d was expected", pid, before)
	}
}

// Whatever ran before on a device, with whatever budget: a run computes the same bits as
// one on a new device, and keeps to its budget.
func TestEngine_RunsDoNotSeeEachOther(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 200, 2000, rng.IntN(2) == 0, false, false)
	snap := g.stored(t, 2048)
	e := engine(t)
	for range 8 {
		req := anyRequest(rng, g)
		needs, err := Estimate(context.Background(), snap, req)
		if err != nil {
			t.Fatal(err)
		}
		if rng.IntN(2) == 0 {
			req.DeviceMemory = needs.Minimum + rng.Uint64N(needs.Resident-needs.Minimum+1)
		}
		got, _ := runOn(t, e, snap, req)
		want := mustRun(t, snap, req)
		if !same(got.Columns, want.Columns) || got.Report.Schedule != want.Report.Schedule {
			t.Errorf("%+v: another result than on a new device", req)
		}
		if have := req.DeviceMemory; have > 0 && got.Report.PeakDeviceBytes > have {
			t.Errorf("%+v: peak %d", req, got.Report.PeakDeviceBytes)
		}
		var kept uint64
		for _, d := range e.pool.Idle() {
			kept += d.Bytes
		}
		if have := req.DeviceMemory; have > 0 && kept > have {
			t.Errorf("%+v: %d bytes are kept", req, kept)
		}
	}
}

// anyRequest asks for a catalog algorithm that takes g as it is.
func anyRequest(rng *rand.Rand, g *sample) Request {
	all := []Request{{Algorithm: "pagerank"}, {Algorithm: "wcc"}, {Algorithm: "lcc"},
		{Algorithm: "bfs", Params: map[string]string{"source": g.users[rng.IntN(len(g.users))]}},
		{Algorithm: "sssp", Params: map[string]string{"source": g.users[rng.IntN(len(g.users))], "weight": "weight"}}}
	return all[rng.IntN(len(all))]
}

// A graph that has been loaded again is never computed on as it was.
func TestEngine_NewGenerationEndsTheOldDevice(t *testing.T) {
	rng := testseed.Rand(t)
	dir := t.TempDir()
	db, err := store.Open(dir, store.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	e := engine(t)
	before := 0
	for range 3 {
		g := random(rng, 50, 300, true, false, false)
		if _, err := db.Load(context.Background(), "g", g, store.LoadOptions{Replace: true}); err != nil {
			t.Fatal(err)
		}
		snap, err := db.Snapshot("g")
		if err != nil {
			t.Fatal(err)
		}
		defer snap.Close()
		result, pid := runOn(t, e, snap, Request{Algorithm: "wcc"})
		if !same(result.Columns, mustRun(t, snap, Request{Algorithm: "wcc"}).Columns) {
			t.Error("another result than on a new device")
		}
		if pid == before || before != 0 && !processtest.Gone(before) {
			t.Errorf("process %d, then %d; both are there", before, pid)
		}
		before = pid
	}
}

func TestEngine_DeadDeviceIsReplaced(t *testing.T) {
	snap := random(testseed.Rand(t), 50, 300, true, false, false).stored(t, 0)
	e := engine(t)
	want, pid := runOn(t, e, snap, Request{Algorithm: "pagerank"})
	exited := e.pool.Idle()[0].Plugin.Exited()
	syscall.Kill(pid, syscall.SIGKILL)
	<-exited
	got, second := runOn(t, e, snap, Request{Algorithm: "pagerank"})
	if second == pid || !same(got.Columns, want.Columns) {
		t.Errorf("process %d after %d", second, pid)
	}
}

func TestEngine_EndsWhatItKeeps(t *testing.T) {
	snap := random(testseed.Rand(t), 50, 300, true, false, false).stored(t, 0)
	for _, c := range []struct {
		name string
		idle time.Duration
		then func(*Engine)
	}{
		{"idle", 20 * time.Millisecond, func(*Engine) {}},
		{"closed", time.Hour, (*Engine).Close},
		{"forgotten", time.Hour, func(e *Engine) { e.Forget("g") }},
		{"no room", time.Hour, func(e *Engine) { e.pool.MakeRoom(e.memory, e.memory) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			processtest.Traceless(t)
			e := NewEngine(c.idle)
			defer e.Close()
			_, pid := runOn(t, e, snap, Request{Algorithm: "wcc"})
			c.then(e)
			processtest.Soon(t, "the device is still there", func() bool { return processtest.Gone(pid) })
		})
	}
}

// What is closed, or has no room, runs all the same and keeps nothing.
func TestEngine_KeepsNothing(t *testing.T) {
	snap := random(testseed.Rand(t), 50, 300, true, false, false).stored(t, 0)
	processtest.Traceless(t)
	closed := NewEngine(time.Hour)
	closed.Close()
	for _, e := range []*Engine{closed, NewEngine(0), {pool: pool.New(time.Hour, 0), machine: 1 << 30}} {
		if _, pid := runOn(t, e, snap, Request{Algorithm: "wcc"}); !processtest.Gone(pid) {
			t.Errorf("process %d outlived the run", pid)
		}
	}
}

// A failed run takes its device along; the next has a new one.
func TestEngine_FailedRunKeepsNothing(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 3000, true, false, false).stored(t, 2048)
	processtest.Traceless(t)
	e := NewEngine(time.Hour)
	defer e.Close()
	_, pid := runOn(t, e, snap, Request{Algorithm: "pagerank"})
	ctx, cancel := context.WithCancel(context.Background())
	second := 0
	_, err := e.Run(ctx, snap, endless("auto"), Events{
		Launched: func(l Launch) { second = l.PID }, Iterated: func(IterationReport) { cancel() }})
	if err == nil || second != pid || !processtest.Gone(pid) || len(e.pool.Idle()) != 0 {
		t.Errorf("error %v; process %d, then %d; %d are kept", err, pid, second, len(e.pool.Idle()))
	}
	runOn(t, e, snap, Request{Algorithm: "wcc"})
}

// Runs at once have a device each.
func TestEngine_RunsAtOnce(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 3000, false, false, false).stored(t, 2048)
	processtest.Traceless(t)
	e := NewEngine(time.Hour)
	defer e.Close()
	want := map[string][]algorithms.Values{}
	for _, a := range []string{"pagerank", "wcc"} {
		want[a] = mustRun(t, snap, Request{Algorithm: a}).Columns
	}
	var all sync.WaitGroup
	for _, a := range []string{"pagerank", "wcc", "pagerank", "wcc"} {
		all.Go(func() {
			for range 3 {
				result, err := e.Run(context.Background(), snap, Request{Algorithm: a}, Events{})
				if err != nil {
					t.Error(err)
				} else if !same(result.Columns, want[a]) {
					t.Errorf("%s has another result than alone", a)
				}
			}
		})
	}
	all.Wait()
	if kept := len(e.pool.Idle()); kept < 1 || kept > 4 {
		t.Errorf("%d devices are kept", kept)
	}
}

// kill -9 of a host that keeps a device idle ends that too.
func TestEngine_HostKilled(t *testing.T) {
	dir := t.TempDir()
	stored(t, dir)
	killHost(t, idleHostArg, dir)
}

// Where a graph is larger than memory, streamed runs read past the system's cache, and
// compute the same.
func TestEngine_ScarceMemory(t *testing.T) {
	rng := testseed.Rand(t)
	snap := random(rng, 200, 2000, rng.IntN(2) == 0, false, false).stored(t, 2048)
	for _, req := range []Request{{Algorithm: "pagerank", Schedule: "whole"},
		{Algorithm: "sssp", Params: map[string]string{"source": vertexOf(t, snap), "weight": "weight"}, Schedule: "whole"}} {
		want := mustRun(t, snap, req)
		got, _ := runOn(t, &Engine{memory: 1, machine: 1 << 30}, snap, req)
		if !same(got.Columns, want.Columns) || got.Report.Bytes.Storage != want.Report.Bytes.Storage {
			t.Errorf("%s: another result, or %d bytes read instead of %d", req.Algorithm, got.Report.Bytes.Storage,
				want.Report.Bytes.Storage)
		}
	}
}

func vertexOf(t *testing.T, snap *store.Snapshot) string {
	t.Helper()
	ids, err := snap.UserIDs(context.Background(), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	return ids.Text(0)
}
