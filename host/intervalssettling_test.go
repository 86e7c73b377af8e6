package host

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/cpu"
	"github.com/penstock-db/penstock/store"
)

// settlesIntervals tells whether a run had intervals that could settle by themselves.
func settlesIntervals(r *Result) bool {
	return r.Report.Intervals != nil && strings.Contains(r.Report.Why, "brought to local convergence")
}

// tooLarge is a request with so many times less memory than the state takes.
func tooLarge(t *testing.T, snap *store.Snapshot, req Request, times uint64) Request {
	t.Helper()
	req.Threads = 1
	needs, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.DeviceMemory = needs.State / times
	return req
}

// On a road map an interval is gone through until it stands still, while it is on the device: in a few iterations, for
// a part of the bytes that iterations in step take, and to the same values. Two devices are given about as much as one.
func TestIntervals_SettleByThemselves(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	for _, name := range long.Raced(t, []string{"bfs", "sssp", "widest-path", "wcc"}, 1) {
		t.Run(name, func(t *testing.T) {
			g := roadMap(rng, 160, 0, rng.IntN(2) == 0)
			snap := g.stored(t, 32<<10)
			req := Request{Algorithm: name, Params: map[string]string{"source": g.users[rng.IntN(len(g.users))]}}
			if name == "wcc" {
				req.Params = nil
			}
			want := mustRun(t, snap, req)
			req = tooLarge(t, snap, req, 2)
			got := checkIntervals(t, snap, req)
			req.Synchronous = true
			inStep := checkIntervals(t, snap, req)
			settling, steps := got.Report.Intervals, inStep.Report.Intervals
			switch {
			case !same(got.Columns, want.Columns) || !same(inStep.Columns, want.Columns):
				t.Errorf("another result by %s, because %s", got.Report.Kernel, got.Report.Why)
			case !settlesIntervals(got) || settlesIntervals(inStep) || steps.Settled > 0:
				t.Errorf("because %s; in step, because %s", got.Report.Why, inStep.Report.Why)
			case settling.Rounds < 2*settling.Settled || 3*got.Report.Iterations > inStep.Report.Iterations ||
				2*settling.EdgeBytes > steps.EdgeBytes:
				t.Errorf("%d iterations: %+v; in step %d: %+v", got.Report.Iterations, settling, inStep.Report.Iterations, steps)
			}
			req.Synchronous, req.Device = false, "cpu,cpu"
			two := checkIntervals(t, snap, req)
			if !same(two.Columns, want.Columns) || 3*two.Report.Bytes.Transfer > 4*got.Report.Bytes.Transfer {
				t.Errorf("two devices: %+v; one %+v; or another result", two.Report.Intervals, settling)
			}
		})
	}
}

// Nothing stops short of local convergence. Along a path each interval is gone through from end to end before it leaves
// the device; where the next one follows, that goes on from there in the same iteration, and else in the next.
func TestIntervals_SettleToTheEnd(t *testing.T) {
	t.Parallel()
	const n = 20_000
	g := path(n)
	snap := g.stored(t, 32<<10)
	for _, of := range []struct {
		source    int
		onwards   bool
		algorithm string
	}{{0, true, "bfs"}, {n - 1, false, "sssp"}} {
		req := tooLarge(t, snap, Request{Algorithm: of.algorithm, Params: map[string]string{"source": g.users[of.source]}}, 6)
		got := checkIntervals(t, snap, req)
		v, iterations := got.Report.Intervals, got.Report.Iterations
		least, most := 1, 2 // the last finds that nothing changes
		if !of.onwards {
			least, most = v.Count-1, v.Count+1
		}
		if iterations < least || iterations > most || v.Rounds < n-4*v.Count || v.Settled > 2*v.Count {
			t.Errorf("%s from %d: %d iterations of %d to %d: %+v", of.algorithm, of.source, iterations, least, most, v)
		}
	}
}

// Where edges among the vertices of an interval are more than there is room for, they come like all others, and the
// values are the same.
func TestIntervals_WithoutRoomToSettle(t *testing.T) {
	t.Parallel()
	const n, near = 8000, 40
	rng := testseed.Rand(t)
	for algorithm, directed := range map[string]bool{"wcc": true, "sssp": false} {
		g := random(rng, n, 500, directed, false, false)
		for v := range n {
			for k := 1; k <= near && v+k < n; k++ {
				g.edges = append(g.edges, algorithms.Edge{Src: uint32(v), Dst: uint32(v + k),
					Weights: map[string]float64{"weight": float64(1+rng.IntN(64)) / 64, "toll": 1}})
			}
		}
		snap := g.stored(t, 32<<10)
		req := Request{Algorithm: algorithm}
		if algorithm == "sssp" {
			req.Params = map[string]string{"source": g.users[rng.IntN(n)]}
		}
		want := mustRun(t, snap, req)
		got := checkIntervals(t, snap, tooLarge(t, snap, req, 2))
		if !same(got.Columns, want.Columns) || got.Report.Intervals.Settled > 0 || !settlesIntervals(got) {
			t.Errorf("%s: %+v, because %s; or another result", algorithm, got.Report.Intervals, got.Report.Why)
		}
	}
}

// A run whose intervals settle, whose device is killed again and again, goes on from its checkpoint to the same values.
func TestIntervals_SettlingResumes(t *testing.T) {
	t.Parallel()
	rng := testseed.Rand(t)
	g := forks(20_000, true)
	snap := g.stored(t, 32<<10)
	for _, algorithm := range []string{"bfs", "num-paths"} {
		req := Request{Algorithm: algorithm, Params: map[string]string{"source": g.users[19_999]}}
		req = tooLarge(t, snap, req, 4)
		want := mustRun(t, snap, req)
		req = resumable(t, req)
		k := killer{kills: 3, after: 2 + rng.IntN(2)}
		if _, err := Run(context.Background(), snap, req, k.events()); plugins.KindOf(err) != plugins.KindDied {
			t.Fatalf("error %v", err)
		}
		got, err := Run(context.Background(), snap, req, k.events())
		if err != nil {
			t.Fatal(err)
		}
		r := got.Report
		if k.launches != 4 || !settlesIntervals(got) || r.ResumedFrom < 3*(k.after-1) || !same(got.Columns, want.Columns) ||
			r.Iterations > want.Report.Iterations+3 {
			t.Errorf("%s: %d launches, killed after %d each, resumed after %d of %d, or another result (%s)", algorithm,
				k.launches, k.after, r.ResumedFrom, want.Report.Iterations, r.Kernel)
		}
	}
}

// olderVariable makes this test program, as a plugin, a device that refuses intervals which settle, as those did that
// were built before there were such.
var olderVariable = ownVariable("OLDER")

// beOlder serves when this program has been started as such a plugin.
func beOlder() {
	if os.Getenv(olderVariable) != "" {
		serve(wrapped{cpu.New(cpu.Options{}), func(s plugins.Session, _ plugins.Job) plugins.Session {
			return olderSession{s}
		}})
	}
}

type olderSession struct{ plugins.Session }

func (s olderSession) Compile(ctx context.Context, task plugins.Task) (plugins.Plan, error) {
	if task.Intervals && task.Settle {
		return plugins.Plan{}, plugins.Errorf(plugins.KindInvalid, "intervals go with no Settle")
	}
	return s.Session.Compile(ctx, task)
}

// A device that refuses intervals which settle is given those that go iteration by iteration, to the same values.
func TestIntervals_OlderDevice(t *testing.T) {
	snap := random(testseed.Rand(t), 12_000, 40_000, true, false, false).stored(t, 32<<10)
	t.Setenv(olderVariable, "1")
	req := tooLarge(t, snap, Request{Algorithm: "wcc"}, 2)
	want := checkIntervals(t, snap, req)
	req.Device = ownPath(t)
	got := checkIntervals(t, snap, req)
	if !settlesIntervals(want) || settlesIntervals(got) || got.Report.Intervals.Settled > 0 ||
		!same(got.Columns, want.Columns) {
		t.Errorf("because %s; or another result than one that settles, because %s", got.Report.Why, want.Report.Why)
	}
}

// Factors below 0 make the best value the worst, so that messages may not come in any order: intervals do not settle,
// and the run says why.
func TestIntervals_FactorsThatTurnTheOrderRound(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	rng := testseed.Rand(t)
	g, along := ladder(rng, 3500, 8000, func() float64 { return []float64{-0.5, 1.25, 0.5, 1}[rng.IntN(4)] })
	snap := g.stored(t, 8<<10)
	req := Request{Algorithm: "max-reliability", Params: map[string]string{"source": g.users[along[0]]}}
	want := mustRun(t, snap, req)
	got := checkIntervals(t, snap, tooLarge(t, snap, req, 2))
	if settlesIntervals(got) || !same(got.Columns, want.Columns) ||
		!strings.Contains(got.Report.Why, "in which order messages may come") {
		t.Errorf("by %s, because %s; or another result", got.Report.Kernel, got.Report.Why)
	}
}
