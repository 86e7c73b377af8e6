package host

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// Whatever the program, the schedule, the budget and the number of devices, the answer is that of
// one device, each keeps to its budget, and their shares are all vertices.
func TestChain_SameAnswerAsOneDevice(t *testing.T) {
	somePrograms(t, 4, func(t *testing.T, rng *rand.Rand, a *algorithms.Algorithm) {
		g, params := sampleFor(rng, a)
		checkChain(t, rng, g.stored(t, 512+rng.IntN(4096)), g, a, params)
	})
}

func checkChain(t *testing.T, rng *rand.Rand, snap *store.Snapshot, g *sample, a *algorithms.Algorithm,
	params map[string]string) {
	t.Helper()
	req := Request{Algorithm: a.Name, Params: params, Threads: 1 + rng.IntN(2)}
	want := mustRun(t, snap, req)
	req.Device = []string{"cpu,cpu", "cpu,cpu", "auto,cpu,cpu"}[rng.IntN(3)]
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	for _, schedule := range Schedules {
		req.Schedule, req.DeviceMemory = schedule, needs.Minimum+rng.Uint64N(needs.Resident-needs.Minimum+10)
		var needs Needs
		got, err := Run(context.Background(), snap, req, Events{Planned: func(n Needs) { needs = n }})
		var refused *ScheduleError
		if schedule != "auto" && errors.As(err, &refused) {
			continue // it says why
		}
		if err != nil {
			t.Fatalf("%+v: %v", req, err)
		}
		for _, it := range got.Report.PerIteration {
			// As many as are worth it.
			meetings := strings.Contains(needs.Why, "local convergence") || got.Report.Kernel == nearestFirst
			if !meetings && it.Bytes.Exchanged > needs.Exchanged || needs.PerIteration && it.Bytes.Forwarded > needs.Forwarded {
				t.Errorf("%+v: %+v; estimated %+v", req, it, needs)
			}
		}
		if a.Approximate {
			args, err := a.Bind(req.Params, g.env())
			if err = errors.Join(err, a.Verify(g.inMemory(), args, got.Columns)); err != nil {
				t.Errorf("%+v: %v", req, err)
			}
		} else if !same(got.Columns, want.Columns) {
			t.Errorf("%+v, %d vertices, directed %v: another result than of one device (%s)", req, len(g.users), g.directed,
				got.Report.Kernel)
		}
		var shared uint64
		for _, d := range got.Report.Devices {
			shared += d.Vertices
			if d.PeakDeviceBytes == 0 || d.PeakDeviceBytes > req.DeviceMemory {
				t.Errorf("%+v: peak %+v", req, d)
			}
		}
		if shared != uint64(len(g.users)) || len(got.Report.Devices) != strings.Count(req.Device, ",")+1 ||
			got.Report.Converged != want.Report.Converged {
			t.Errorf("%+v: %+v", req, got.Report)
		}
	}
}

// No device is given an edge that is another's, whatever the program and the schedule, in chunks or in lists of active
// vertices, and together they are given all of them.
func TestChain_EdgesGoToTheirOwner(t *testing.T) {
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(ownersVariable, "1")
	rng := testseed.Rand(t)
	names := []string{"bfs", "wcc", "widest-path", "pagerank", "pagerank-delta"}
	for _, algorithm := range long.Draw(t, names, 2) {
		a, err := catalog.Lookup(algorithm)
		if err != nil {
			t.Fatal(err)
		}
		g := random(rng, 300, 4000, rng.IntN(2) == 0, false, true)
		snap, req := g.stored(t, 2048), chainRequest(a, g)
		want := mustRun(t, snap, req)
		needs, err := Estimate(context.Background(), snap, req)
		if err != nil {
			t.Fatal(err)
		}
		req.Device = self + strings.Repeat(","+self, 1+rng.IntN(2))
		for _, req.Schedule = range long.Draw(t, []string{"resident", "auto", "whole", "subway", "neugraph"}, 2) {
			if req.DeviceMemory = (needs.Minimum + needs.Resident) / 2; req.Schedule == "resident" {
				req.Schedule, req.DeviceMemory = "auto", 0
			}
			got := mustRun(t, snap, req)
			if !strings.HasPrefix(algorithm, "pagerank") && !same(got.Columns, want.Columns) {
				t.Errorf("%+v: another result", req)
			}
		}
	}
}

// Pieces of chunks that are too large for a slot have aligned places, though what devices are given of each other's
// sums is of any size. Of pieces that are smaller than a sum they are given none, for it has other bits already.
func TestChain_PiecesOfSums(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 301+rng.IntN(7), 20_000, rng.IntN(2) == 0, false, false) // 301 to 307 times 8 is no multiple of 64
	snap := g.stored(t, 1<<20)
	req := Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "3"}, Threads: 1, Device: "cpu,cpu"}
	needs, err := Estimate(t.Context(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = needs.Minimum + needs.Minimum/4
	got := mustRun(t, snap, req)
	a, err := catalog.Lookup(req.Algorithm)
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(req.Params, g.env())
	if err = errors.Join(err, a.Verify(g.inMemory(), args, got.Columns)); err != nil {
		t.Error(err)
	}
	if b := got.Report.Bytes; b.Transfer < 3*20_000*4 || b.Forwarded > 0 {
		t.Errorf("%d bytes are given, so that nothing came again, or %d of another's edges", b.Transfer, b.Forwarded)
	}
}

// chainRequest is an algorithm on a sample, to be computed to the end.
func chainRequest(a *algorithms.Algorithm, g *sample) Request {
	req := Request{Algorithm: a.Name, Threads: 2, Params: map[string]string{}}
	for _, p := range a.Params {
		if p.Type == algorithms.ParamVertex {
			req.Params[p.Name] = g.users[0]
		}
	}
	roughly(a, req.Params)
	return req
}

// Two devices are given little more than one, together, that goes through as many iterations the same way: what is cut
// in two has a header and lists of its own.
func TestChain_GivesTwoDevicesWhatOneIsGiven(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	for _, a := range long.Draw(t, programs(), 3) {
		t.Run(a.Name, func(t *testing.T) {
			rng := testseed.Rand(t)
			g := random(rng, 2500, 60_000, a.Acyclic || rng.IntN(2) == 0, false, a.Acyclic)
			snap, req := g.stored(t, 128<<10), chainRequest(a, g)
			needs, err := Estimate(context.Background(), snap, req)
			if err != nil {
				t.Fatal(err)
			}
			checkBytes(t, snap, req)
			for _, req.Schedule = range long.Draw(t, []string{"auto", "whole", "subway", "neugraph"}, 2) {
				req.DeviceMemory = needs.Minimum + (needs.Resident-needs.Minimum)/uint64(2+rng.IntN(3))
				checkBytes(t, snap, req)
			}
		})
	}
}

// checkBytes compares what two devices are given with what one is; or, if that chooses by what it has measured, with
// all chunks in each iteration. Lists that are cut in two have a header twice, which is much of few lists.
func checkBytes(t *testing.T, snap *store.Snapshot, req Request) {
	t.Helper()
	req.Synchronous, req.Device = true, "cpu"
	one := mustRun(t, snap, resumable(t, req)) // which goes iteration by iteration, as a chain does
	req.Device = "cpu,cpu"
	two := mustRun(t, snap, req)
	a, b, d := one.Report.Bytes, two.Report.Bytes, two.Report.Devices
	most, headers := float64(a.Transfer), 0
	measures := two.Report.Schedule == "neugraph" || two.Report.Schedule == "auto"
	if one.Report.Kernel != two.Report.Kernel {
		t.Errorf("%s: one by %s, two by %s", req.Algorithm, one.Report.Kernel, two.Report.Kernel)
	}
	if measures {
		most = 0
		for _, c := range slices.Concat(snap.Chunks(chunk.Out), snap.Chunks(chunk.In)) {
			most += float64(c.Bytes * int64(two.Report.Iterations))
		}
	}
	name := fmt.Sprintf("%s, %s of %d bytes, %s", req.Algorithm, two.Report.Schedule, req.DeviceMemory,
		two.Report.Kernel)
	t.Logf("%s: %d + %d bytes in %d iterations; one at most %.0f in %d", name, b.Transfer, b.Forwarded,
		two.Report.Iterations, most, one.Report.Iterations)
	for _, it := range two.Report.PerIteration {
		headers += 320 * it.Chunks
	}
	if float64(b.Transfer+b.Forwarded) > 1.15*most+float64(headers) {
		t.Errorf("%s: %d + %d bytes; one device is given %.0f", name, b.Transfer, b.Forwarded, most)
	}
	silent := b.Exchanged == 0 && req.Algorithm != "wcc" // of a dense graph each device finds the components by itself
	if d[0].Transfer+d[1].Transfer != b.Transfer || d[0].Forwarded+d[1].Forwarded != b.Forwarded || silent ||
		d[0].EdgesProcessed == 0 || d[1].EdgesProcessed == 0 || a.Forwarded+a.Exchanged > 0 || len(one.Report.Devices) > 0 {
		t.Errorf("%s: devices %+v, together %+v; one %+v", name, d, b, a)
	}
}

// A run on several devices ends with the first that fails, says which one that was, and leaves
// none behind.
func TestChain_OneFails(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 3000, true, false, false).stored(t, 2048)
	for name, c := range map[string]struct {
		do   func(pids []int, cancel func())
		fits func(error) bool
	}{
		"first killed": {func(pids []int, _ func()) { syscall.Kill(pids[0], syscall.SIGKILL) },
			isOf(plugins.KindDied, "cpu #1")},
		"last killed": {func(pids []int, _ func()) { syscall.Kill(pids[1], syscall.SIGKILL) },
			isOf(plugins.KindDied, "cpu #2")},
		"last stopped": {func(pids []int, _ func()) { syscall.Kill(pids[1], syscall.SIGSTOP) },
			isOf(plugins.KindHung, "cpu #2")},
		"canceled": {func(_ []int, cancel func()) { cancel() },
			func(err error) bool { return errors.Is(err, context.Canceled) }},
	} {
		t.Run(name, func(t *testing.T) {
			processtest.Traceless(t)
			req := endless("whole")
			req.Device, req.Timeout = "cpu,cpu", 2*time.Second
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var pids []int
			_, err := Run(ctx, snap, req, Events{
				Launched: func(l Launch) { pids = append(pids, l.PID) },
				Iterated: func(i IterationReport) {
					if i.Number == 2 {
						c.do(pids, cancel)
					}
				},
			})
			if err == nil || !c.fits(err) {
				t.Errorf("error %v", err)
			}
			if len(pids) != 2 || slices.ContainsFunc(pids, func(pid int) bool { return !processtest.Gone(pid) }) {
				t.Errorf("processes %v: one has outlived the run", pids)
			}
		})
	}
}

// One that lies, takes too much or dies is caught wherever it stands in the chain; another plugin than
// the built-in one may stand there.
func TestChain_FaultyDevices(t *testing.T) {
	g := random(testseed.Rand(t), 300, 3000, true, false, false)
	snap := g.stored(t, 2048)
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	req := Request{Algorithm: "pagerank", Device: "cpu," + self, Schedule: "whole"}
	name := filepath.Base(self) + " #2"
	for script, kind := range map[string]plugins.Kind{
		"die at describe": plugins.KindDied, "die at compile": plugins.KindDied, "die at upload 2": plugins.KindDied,
		"die at apply 2": plugins.KindDied,
		"die at restore": plugins.KindDied, "exceed at step 2": plugins.KindBudget, "lie at upload 2": plugins.KindInvalid,
	} {
		t.Run(script, func(t *testing.T) {
			processtest.Traceless(t)
			t.Setenv(faultsVariable, script)
			if _, err := Run(context.Background(), snap, req, Events{}); err == nil || !isOf(kind, name)(err) {
				t.Errorf("error %v; want a %v of %s", err, kind, name)
			}
		})
	}
	mustRun(t, snap, req)
}

// A run whose last device is killed goes on from its checkpoint, on as many new ones.
func TestChain_Resumes(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 3000, true, false, false).stored(t, 2048)
	req := Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "12"}, Device: "cpu,cpu",
		Schedule: "whole"}
	want := mustRun(t, snap, req)
	k := killer{kills: 2, after: 3} // each device is a launch
	got, err := Run(context.Background(), snap, resumable(t, req), k.events())
	if err != nil {
		t.Fatal(err)
	}
	if k.launches != 4 || got.Report.ResumedFrom == 0 || !same(got.Columns, want.Columns) {
		t.Errorf("%d devices, resumed after iteration %d, the same result: %v", k.launches, got.Report.ResumedFrom,
			same(got.Columns, want.Columns))
	}
}

func isOf(kind plugins.Kind, device string) func(error) bool {
	return func(err error) bool {
		var of *plugins.Error
		return errors.As(err, &of) && of.Kind == kind && of.Device == device
	}
}

// What several devices cannot do is refused, with the reason.
func TestChain_Refuses(t *testing.T) {
	snap := random(testseed.Rand(t), 300, 3000, true, false, false).stored(t, 2048)
	var devices *DevicesError
	if _, err := Run(context.Background(), snap, Request{Algorithm: "lcc", Device: "cpu,cpu"}, Events{}); !errors.As(err,
		&devices) {
		t.Errorf("a procedure: error %v", err)
	}
	req := Request{Algorithm: "sssp", Params: map[string]string{"source": vertexOf(t, snap)}, Device: "cpu,cpu",
		Schedule: "scaph"}
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	var schedule *ScheduleError
	req.DeviceMemory = needs.Resident - 1
	if _, err := Run(context.Background(), snap, req, Events{}); !errors.As(err, &schedule) ||
		!strings.Contains(schedule.Reason, "several devices") {
		t.Errorf("scaph: error %v", err)
	}
	var request *RequestError
	if _, err := Run(context.Background(), snap, Request{Algorithm: "wcc", Device: "cpu,"}, Events{}); !errors.As(err,
		&request) {
		t.Errorf("an empty name: error %v", err)
	}
}
