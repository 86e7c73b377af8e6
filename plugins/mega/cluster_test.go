package mega

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega/internal/commons"
)

// counting adds 1 to every row that an edge leads to.
func counting() *Program[int64, int64, int64] {
	return &Program[int64, int64, int64]{Name: "counting", Right: Rows{Shared: 1},
		Exchange: func(_ *Worker[int64], _, v []int64, _ *int64) { v[0]++ },
		Stages:   []Stage{MiniBatch(Exchange(), Sync())}}
}

// pretended runs a program in time that passes only while all sleep, and says how much did.
func pretended(t *testing.T, g *Graph[int64], o Options) (took time.Duration, r Report) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var err error
		if _, r, err = Run(t.Context(), counting(), g, o); err != nil {
			t.Fatal(err)
		}
		took = time.Since(began)
	})
	return took, r
}

// recurrence is what a run takes by definition, and how long its workers wait: a clock begins when the worker has
// finished the one before, and all have finished the one that the slack names.
func recurrence(o Options, edges int) (took, waited time.Duration) {
	clocks := o.Epochs * o.Batches
	finished := make([][]time.Duration, o.Workers)
	for k := range finished {
		finished[k] = make([]time.Duration, clocks+1)
	}
	for t := range clocks {
		slow := straggler(o.Seed, t, o.Workers)
		b := t % o.Batches
		n := edges*(b+1)/o.Batches - edges*b/o.Batches
		for k := range finished {
			begin := finished[k][t]
			for _, other := range finished {
				if o.Slack != Asynchronous && t-o.Slack > 0 {
					begin = max(begin, other[t-o.Slack])
				}
			}
			waited += begin - finished[k][t]
			takes := o.Cluster.Edge * time.Duration(n)
			if k == slow && o.Cluster.Straggler > 1 {
				takes = time.Duration(float64(takes) * o.Cluster.Straggler)
			}
			finished[k][t+1] = begin + takes
		}
	}
	for _, each := range finished {
		took = max(took, each[clocks])
	}
	return took, waited
}

// Runs take as long as the recurrence of bounded staleness says, and wait as long, to the nanosecond.
func TestCluster_StragglersTakeWhatTheyPretend(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		o := Options{Workers: 1 + r.IntN(6), Slack: r.IntN(6) - 1, Epochs: 1 + r.IntN(6), Batches: 1 + r.IntN(5),
			Seed: r.Uint64(), Cluster: Cluster{Edge: time.Duration(1 + r.IntN(1000)), Straggler: r.Float64() * 6}}
		edges := 1 + r.IntN(20)
		took, report := pretended(t, everyOne(o.Workers, edges), o)
		waited := time.Duration(0)
		for _, w := range report.Workers {
			waited += w.Waited
		}
		if wantTook, wantWaited := recurrence(o, edges); took != wantTook || waited != wantWaited {
			t.Fatalf("%+v: took %v and waited %v, want %v and %v", o, took, waited, wantTook, wantWaited)
		}
	}
}

// The goal of bounded staleness: of 4 workers one is 4 times as slow in each clock, and with a slack of 2 clocks all
// take at most 0.6 of the time of bulk synchronous ones, and wait less.
func TestCluster_SlackPays(t *testing.T) {
	seed := testseed.New(t)
	o := Options{Workers: 4, Epochs: 50, Batches: 10, Seed: seed, Cluster: Cluster{Edge: time.Microsecond, Straggler: 4}}
	var took [3]time.Duration
	var waited [3]time.Duration
	for o.Slack = range took {
		var report Report
		took[o.Slack], report = pretended(t, everyOne(4, 100), o)
		for _, w := range report.Workers {
			waited[o.Slack] += w.Waited
		}
	}
	falls := func(by [3]time.Duration) bool { return by[0] > by[1] && by[1] > by[2] }
	if took[2] > took[0]*6/10 || !falls(took) || !falls(waited) {
		t.Errorf("slack 0, 1 and 2 took %v and waited %v", took, waited)
	}
}

// What one worker sends, and what it pulls, takes time: without slack all of it, with slack the sending is hidden
// behind the next clock.
func TestCluster_Links(t *testing.T) {
	const clocks, rows, edge, latency, bandwidth = 7, 5, 1000, 300, 1e9 / 2
	o := Options{Workers: 2, Epochs: clocks, Batches: 1,
		Cluster: Cluster{Edge: edge, Latency: latency, Bandwidth: bandwidth}}
	const sent = rows * 8 * 2 // nanoseconds
	for slack, want := range map[int]time.Duration{
		0: clocks * (latency + sent + rows*edge + sent + latency),
		2: clocks*(latency+sent+rows*edge) + sent + latency,
	} {
		o.Slack = slack
		took, report := pretended(t, everyOne(2, rows), o)
		if took != want {
			t.Errorf("slack %d: took %v, want %v", slack, took, want)
		}
		if got, want := report.Workers[1].Traffic, uint64(clocks*rows*8); got.Pushed != want {
			t.Errorf("slack %d: pushed %d bytes, want %d", slack, got.Pushed, want)
		}
	}
}

// Without slack a run gives the same bits whatever cluster is pretended.
func TestCluster_SameBits(t *testing.T) {
	r := testseed.Rand(t)
	for range 50 {
		g := randomGraph(r)
		o := Options{Workers: 1 + r.IntN(6), Epochs: 1 + r.IntN(4), Batch: 1 + r.IntN(40),
			Cluster: Cluster{Edge: 10, Straggler: 3, Latency: time.Duration(r.IntN(1000)), Bandwidth: 1e8}}
		left, _, _, tau := oracle(g, o)
		synctest.Test(t, func(t *testing.T) {
			s, _, err := Run(t.Context(), mixing(), g, o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(s.Left, left) || s.Context[0] != tau {
				t.Fatalf("%+v: other bits than the oracle's", o)
			}
		})
	}
}

// Whoever sleeps is woken when the run ends.
func TestCluster_Canceled(t *testing.T) {
	tired := errors.New("tired")
	for _, c := range []Cluster{{Edge: time.Hour}, {Latency: time.Hour}, {Edge: 1, Straggler: 2, Bandwidth: 1e-3}} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Minute, func() { cancel(tired) })
			_, _, err := Run(ctx, counting(), everyOne(3, 2), Options{Workers: 3, Slack: Asynchronous, Epochs: 1000, Cluster: c})
			if took := time.Since(began); !errors.Is(err, tired) || took != time.Minute {
				t.Errorf("%+v: ended after %v with %v", c, took, err)
			}
		})
	}
}

// Clocks arrive in the order in which they were sent.
func TestLink_Order(t *testing.T) {
	o := Options{Workers: 2, Slack: 1}
	m := newMasters[int64](&commons.Memory{}, o, Rows{Shared: 1}, make([][]uint32, 2), []uint16{0}, nil, nil)
	from := newMirrors(m, []uint32{0}, nil)
	c := newClocks(&commons.Memory{}, 2, 0)
	for range 20 {
		m.ends[0].waiting = nil
		synctest.Test(t, func(t *testing.T) {
			l := newLink[int64](Cluster{Latency: time.Second}, c, 1)
			for clock := range MaxFlights {
				f := &flight[int64]{update: update[int64]{clock: clock, rows: []uint32{0}}, of: m, end: m.ends[0], from: from}
				m.ends[0].Lock()
				from.flying[0] = append(from.flying[0], f)
				m.ends[0].Unlock()
				if err := l.send(t.Context(), []*flight[int64]{f}, 8); err != nil {
					t.Fatal(err)
				}
			}
			l.flights.Wait()
		})
		for i, u := range m.ends[0].waiting {
			if u.clock != i {
				t.Fatalf("clock %d has arrived as number %d", u.clock, i)
			}
		}
	}
	if len(m.ends[0].waiting) != MaxFlights || len(from.flying[0]) != 0 {
		t.Errorf("%d have arrived and %d are on their way", len(m.ends[0].waiting), len(from.flying[0]))
	}
}
