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
	"github.com/penstock-db/penstock/internal/launch/processtest"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
	"github.com/penstock-db/penstock/store"
)

// Whatever the program, several devices whose state is cut into intervals come to the bits that one comes to, are given
// together the very bytes that one is given, and keep to their budgets each; and to the result of devices that have all
// state.
func TestIntervals_SeveralDevices(t *testing.T) {
	somePrograms(t, 2, func(t *testing.T, rng *rand.Rand, a *algorithms.Algorithm) {
		g, params := largeSample(rng, a, 12_000)
		req := Request{Algorithm: a.Name, Params: params, Device: devices(2 + rng.IntN(2))}
		checkTooLarge(t, g, req, 2)
		checkAsOne(t, g.stored(t, 32<<10), req, 2)
	})
}

// So it is where the state is eight times what a device has.
func TestIntervals_ManyOfSeveralDevices(t *testing.T) {
	long.Unraced(t)
	for _, name := range long.Draw(t, []string{"bfs", "sssp", "wcc", "widest-path", "pagerank"}, 1) {
		t.Run(name, func(t *testing.T) {
			a, err := catalog.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			rng := testseed.Rand(t)
			g, params := largeSample(rng, a, 50_000)
			if name == "pagerank" {
				params["iterations"] = "3"
			}
			req := Request{Algorithm: name, Params: params, Device: devices(2 + rng.IntN(2))}
			checkAsOne(t, g.stored(t, 128<<10), req, 8)
		})
	}
}

// devices are so many built-in ones.
func devices(count int) string { return "cpu" + strings.Repeat(",cpu", count-1) }

// checkAsOne compares a run on several devices, each of which has so many times less than the state takes, with one on
// one device.
func checkAsOne(t *testing.T, snap *store.Snapshot, req Request, times uint64) (one, several *Result) {
	t.Helper()
	names := req.Device
	req.Device = "cpu"
	req = tooLarge(t, snap, req, times)
	one = checkIntervals(t, snap, req)
	req.Device = names
	several = checkIntervals(t, snap, req)
	if !same(one.Columns, several.Columns) || one.Report.Converged != several.Report.Converged {
		t.Errorf("%+v: other bits than of one device (%s)", req, several.Report.Kernel)
	}
	first, all := *one.Report.Intervals, *several.Report.Intervals
	first.Ahead, all.Ahead = 0, 0  // at its first column a device has nothing to look ahead from
	if settlesIntervals(several) { // which read what columns of the same stride were before
		most := one.Report.Bytes.Transfer*4/3 + first.CellBytes // once more, where iterations are few
		if several.Report.Bytes.Transfer > most || !settlesIntervals(one) {
			t.Errorf("%+v: one device is given\n%+v, these\n%+v", req, first, all)
		}
	} else if first != all || one.Report.Iterations != several.Report.Iterations ||
		one.Report.Bytes.Transfer != several.Report.Bytes.Transfer ||
		one.Report.EdgesProcessed != several.Report.EdgesProcessed {
		t.Errorf("%+v: one device is given\n%+v, these\n%+v", req, first, all)
	}
	var bytes, edges, moved, end uint64
	for _, d := range several.Report.Devices {
		if d.First != end || d.Vertices == 0 || d.Forwarded > 0 || d.PeakDeviceBytes == 0 ||
			d.PeakDeviceBytes > req.DeviceMemory || d.StateBytes == 0 {
			t.Errorf("%+v: %+v", req, d)
		}
		bytes, edges, end = bytes+d.Transfer, edges+d.EdgesProcessed, end+d.Vertices
		moved += d.StateBytes
	}
	if moved != all.StateBytes || bytes != all.EdgeBytes || edges != several.Report.EdgesProcessed ||
		end != snap.Manifest().Vertices ||
		len(several.Report.Devices) != strings.Count(names, ",")+1 {
		t.Errorf("%+v: %+v; together %d bytes, %d edges, %d vertices", req, several.Report.Devices, bytes, edges, end)
	}
	return one, several
}

// What is added up of all vertices has the same bits whichever device a column belongs to, and with programs of one's
// own.
func TestIntervals_SumsOfSeveralDevices(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	expr := func(text string) algorithms.Expr { return algorithms.Expr{Source: text} }
	p := &algorithms.Program{Name: "totals", Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 4,
		Exactly: true, Aggregates: []algorithms.Aggregate{{Name: "all", Expr: expr("self.x * self.y")}},
		State: []algorithms.State{
			{Name: "x", Type: algorithms.Float, Init: expr("1.0 / (1.0 + double(id))"),
				Apply: expr("0.5 * acc + agg.all / double(n)")},
			{Name: "y", Type: algorithms.Float, Init: expr("2.0"), Apply: expr("self.y * 0.5 + self.x")}},
		Process: expr("src.x * 0.3")}
	snap := random(rng, 20_000+rng.IntN(5000), 60_000, rng.IntN(2) == 0, false, false).stored(t, 32<<10)
	for _, count := range long.Draw(t, []int{2, 3, 5}, 2) {
		checkAsOne(t, snap, Request{Program: p, Device: devices(count), LinkBandwidth: 1 << 40}, 4)
	}
}

// A device is given the edges that lead to its own vertices, and no others: it looks at as many as there are.
func TestIntervals_EdgesGoToTheirOwner(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	rng := testseed.Rand(t)
	const vertices, iterations = 20_000, 3
	g := random(rng, vertices, 0, true, false, false)
	for range 100_000 { // to the first vertices more than to the last
		at := rng.Float64()
		g.edges = append(g.edges, algorithms.Edge{Src: uint32(rng.IntN(vertices)), Dst: uint32(at * at * vertices)})
	}
	arriving := make([]uint64, vertices+1) // before each vertex
	for _, e := range g.edges {
		arriving[e.Dst+1]++
	}
	for v := range vertices {
		arriving[v+1] += arriving[v]
	}
	req := Request{Algorithm: "pagerank", Params: map[string]string{"iterations": fmt.Sprint(iterations)}}
	for _, count := range []int{2, 3} {
		req.Device = devices(count)
		_, got := checkAsOne(t, g.stored(t, 64<<10), req, 5)
		for _, d := range got.Report.Devices {
			own := arriving[d.First+d.Vertices] - arriving[d.First]
			if d.EdgesProcessed != iterations*own {
				t.Errorf("%s has looked at %d edges in %d iterations; %d lead to its vertices", d.Name, d.EdgesProcessed,
					iterations, own)
			}
			// Columns are whole: there are more than ten, the first with most edges.
			if equal := float64(len(g.edges)) / float64(count); float64(own) > 1.5*equal {
				t.Errorf("%s of %d has %d of %d edges", d.Name, count, own, len(g.edges))
			}
		}
	}
}

// meetVariable has this test program, as a plugin, wait in each iteration for another device to be in the same one: it
// names the folder where they tell each other.
var meetVariable = ownVariable("MEET")

// beMeeting serves when that is set.
func beMeeting() {
	if dir := os.Getenv(meetVariable); dir != "" {
		serve(wrapped{cpu.New(cpu.Options{}), func(s plugins.Session, _ plugins.Job) plugins.Session {
			return &meetingSession{s, dir}
		}})
	}
}

type meetingSession struct {
	plugins.Session
	dir string
}

// Execute lets the first Step of an iteration pass once the other device has come to one as well.
func (s *meetingSession) Execute(ctx context.Context, commands <-chan plugins.Command, emit func(plugins.Event)) error {
	met := make(chan plugins.Command)
	go func() {
		defer close(met)
		iteration, last := 0, -1
		for c := range commands {
			if c.Op == plugins.Restore {
				iteration = c.Iteration.Number
			}
			if c.Op == plugins.Step && iteration != last {
				last = iteration
				if err := s.meet(ctx, iteration); err != nil {
					emit(plugins.Event{Seq: c.Seq, Done: true, Err: err})
					return
				}
			}
			select {
			case met <- c:
			case <-ctx.Done():
				return
			}
		}
	}()
	return s.Session.Execute(ctx, met, emit)
}

func (s *meetingSession) meet(ctx context.Context, iteration int) error {
	own, err := os.CreateTemp(s.dir, fmt.Sprintf("%d-*", iteration)) // processes that are confined do not know their ids
	if err != nil {
		return err
	}
	own.Close()
	for began := time.Now(); time.Since(began) < time.Minute; {
		there, err := filepath.Glob(filepath.Join(s.dir, fmt.Sprintf("%d-*", iteration)))
		if err != nil || len(there) > 1 || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		time.Sleep(time.Millisecond)
	}
	return plugins.Errorf(plugins.KindInternal, "in iteration %d no other device has come to a step", iteration)
}

// Devices are at work at the same time in each iteration: each goes on only when the other has begun, too.
func TestIntervals_DevicesAtTheSameTime(t *testing.T) {
	snap := random(testseed.Rand(t), 12_000, 40_000, true, false, false).stored(t, 32<<10)
	req := Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "3"}, Threads: 1}
	needs, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	dir, self := t.TempDir(), ownPath(t)
	t.Setenv(meetVariable, dir)
	req.Device, req.DeviceMemory, req.Unconfined = self+","+self, needs.State/2, []string{self}
	if got := mustRun(t, snap, req); got.Report.Intervals == nil {
		t.Errorf("%+v", got.Report)
	}
	if met, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(met) != 2*3 {
		t.Errorf("%v, %v", met, err)
	}
}

// A run with intervals on several devices ends with the first that fails, says which one that was, and leaves no
// process and no file.
func TestIntervals_OneOfSeveralFails(t *testing.T) {
	snap := random(testseed.Rand(t), 12_000, 40_000, true, false, false).stored(t, 32<<10)
	req := endless("auto")
	req.Threads = 1
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory, req.Device, req.Timeout = needs.State/2, "cpu,cpu", 2*time.Second
	for name, c := range map[string]struct {
		do   func(pids map[string]int, cancel func())
		fits func(error) bool
	}{
		"first killed": {func(pids map[string]int, _ func()) { syscall.Kill(pids["cpu #1"], syscall.SIGKILL) },
			isOf(plugins.KindDied, "cpu #1")},
		"last killed": {func(pids map[string]int, _ func()) { syscall.Kill(pids["cpu #2"], syscall.SIGKILL) },
			isOf(plugins.KindDied, "cpu #2")},
		"last stopped": {func(pids map[string]int, _ func()) { syscall.Kill(pids["cpu #2"], syscall.SIGSTOP) },
			isOf(plugins.KindHung, "cpu #2")},
		"canceled": {func(_ map[string]int, cancel func()) { cancel() },
			func(err error) bool { return errors.Is(err, context.Canceled) }},
	} {
		t.Run(name, func(t *testing.T) {
			processtest.Traceless(t)
			dir, err := os.MkdirTemp("", "several") // the path of a socket must be short
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(dir)
			t.Setenv("TMPDIR", dir)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			pids := map[string]int{}
			_, err = Run(ctx, snap, req, Events{
				Launched: func(l Launch) { pids[fmt.Sprintf("cpu #%d", len(pids)+1)] = l.PID },
				Iterated: func(i IterationReport) {
					if i.Number == 2 {
						c.do(pids, cancel)
					}
				},
			})
			if err == nil || !c.fits(err) {
				t.Errorf("error %v", err)
			}
			for device, pid := range pids {
				if !processtest.Gone(pid) {
					t.Errorf("%s has outlived the run", device)
				}
			}
			if left, err := filepath.Glob(filepath.Join(dir, "penstock-*")); err != nil || len(left) > 0 {
				t.Errorf("%v, %v are left", err, left)
			}
		})
	}
}

// A device that lies, takes too much or dies is named, wherever it stands.
func TestIntervals_FaultyOfSeveral(t *testing.T) {
	snap := random(testseed.Rand(t), 12_000, 40_000, true, false, false).stored(t, 32<<10)
	self := ownPath(t)
	req := Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "3"}, Threads: 1}
	needs, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.Device, req.DeviceMemory = "cpu,"+self, needs.State/2
	for script, kind := range map[string]plugins.Kind{
		"die at init 2": plugins.KindDied, "die at step 2": plugins.KindDied, "die at apply 2": plugins.KindDied,
		"exceed at step 2": plugins.KindBudget, "lie at upload 2": plugins.KindInvalid,
	} {
		t.Run(script, func(t *testing.T) {
			processtest.Traceless(t)
			t.Setenv(faultsVariable, script)
			_, err := Run(context.Background(), snap, req, Events{})
			if name := filepath.Base(self) + " #2"; err == nil || !isOf(kind, name)(err) {
				t.Errorf("error %v; want a %v of %s", err, kind, name)
			}
		})
	}
	if got := mustRun(t, snap, req); got.Report.Intervals == nil {
		t.Errorf("%+v", got.Report)
	}
}

// A run on several devices goes on from a checkpoint of as many, of more or of fewer, to the same bits.
func TestIntervals_ResumeOnSeveralDevices(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	rng := testseed.Rand(t)
	snap := random(rng, 20_000, 60_000, true, false, false).stored(t, 32<<10)
	for _, c := range long.Draw(t, [][2]int{{2, 2}, {1, 2}, {3, 1}, {2, 3}}, 2) {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			req := Request{Algorithm: "pagerank", Params: map[string]string{"iterations": "12"}, Threads: 1}
			needs, err := leastResident(snap, req)
			if err != nil {
				t.Fatal(err)
			}
			req.DeviceMemory = needs.State / 2
			want := checkIntervals(t, snap, req)
			req = resumable(t, req)
			req.Device = devices(c[0])
			k := killer{kills: 2 * c[0], after: 2 + rng.IntN(2)} // the attempt, and the one that goes on from it
			if _, err := Run(context.Background(), snap, req, k.events()); plugins.KindOf(err) != plugins.KindDied {
				t.Fatalf("error %v", err)
			}
			req.Device = devices(c[1])
			got, err := Run(context.Background(), snap, req, k.events())
			if err != nil {
				t.Fatal(err)
			}
			if r := got.Report; r.ResumedFrom < k.after || r.Intervals == nil || !same(got.Columns, want.Columns) {
				t.Errorf("resumed after %d on %s, notices %v, or other bits", r.ResumedFrom, r.Device, k.notices)
			}
		})
	}
}

// A device that has all state or none is named before the run.
func TestIntervals_DeviceWithout(t *testing.T) {
	snap := random(testseed.Rand(t), 12_000, 40_000, true, false, false).stored(t, 32<<10)
	t.Setenv(wholeVariable, "1")
	self, planned := ownPath(t), false
	req := Request{Algorithm: "wcc", Device: "cpu," + self, DeviceMemory: 100_000}
	_, err := Run(context.Background(), snap, req, Events{Planned: func(Needs) { planned = true }})
	var over *BudgetError
	says := filepath.Base(self) + " #2 does not have the extension intervals"
	if !errors.As(err, &over) || !strings.Contains(err.Error(), says) || planned {
		t.Errorf("%v", err)
	}
}

// wholeVariable has this test program, as a plugin, be a CPU device without the extension intervals.
var wholeVariable = ownVariable("WHOLE")

// beWhole serves when that is set.
func beWhole() {
	if os.Getenv(wholeVariable) != "" {
		serve(wholeDevice{cpu.New(cpu.Options{})})
	}
}

type wholeDevice struct{ plugins.Device }

func (d wholeDevice) Describe(ctx context.Context) (plugins.Description, error) {
	about, err := d.Device.Describe(ctx)
	about.Extensions = slices.DeleteFunc(slices.Clone(about.Extensions),
		func(e plugins.Extension) bool { return e == plugins.ExtensionIntervals })
	return about, err
}
