package mega

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/mega/internal/commons"
)

// witness is a program that sees whose updates each read has seen: of each right vertex the row has a count for each
// worker, which that worker makes one higher in each of its clocks.
type witness struct {
	workers, slack int
	mu             sync.Mutex
	wrong          error
	stale, fresh   int // reads that lacked an update of a clock before their own; that had one of their own clock or later
}

func (o *witness) program(delays *rand.Rand) *Program[int64, int64, int64] {
	slow := make([]int, o.workers)
	for k := range slow {
		slow[k] = delays.IntN(20)
	}
	return &Program[int64, int64, int64]{
		Name: "witness", Left: Rows{Mirror: 1}, Right: Rows{Shared: o.workers},
		Stages: []Stage{MiniBatch(Exchange(), Sync())},
		Exchange: func(w *Worker[int64], u, v []int64, _ *int64) {
			o.read(w, v)
			v[w.Number]++
			if w.Random.IntN(4) == 0 {
				for range w.Random.IntN(slow[w.Number] + 1) {
					runtime.Gosched()
				}
			}
			if w.Random.IntN(100) < slow[w.Number] {
				time.Sleep(time.Duration(w.Random.IntN(50)) * time.Microsecond)
			}
		},
	}
}

// read checks what a clock sees.
func (o *witness) read(w *Worker[int64], v []int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for k, n := range v {
		seen, t := int(n), w.Clock
		switch {
		case k == w.Number && seen != t:
			o.wrong = fmt.Errorf("worker %d in clock %d has seen %d clocks of its own", k, t, seen)
		case seen < t-o.slack:
			o.wrong = fmt.Errorf("worker %d in clock %d with slack %d has seen %d clocks of worker %d", w.Number, t, o.slack,
				seen, k)
		case seen > t+o.slack+1:
			o.wrong = fmt.Errorf("worker %d in clock %d with slack %d has seen %d clocks of worker %d, which is too far ahead",
				w.Number, t, o.slack, seen, k)
		}
		if k != w.Number && seen < t {
			o.stale++
		}
		if k != w.Number && seen > t {
			o.fresh++
		}
	}
}

// everyOne is a graph in which each worker has a left vertex with an edge to each right one.
func everyOne(workers, rights int) *Graph[int64] {
	g := &Graph[int64]{Rights: rights, Offsets: []int64{0}}
	for range workers {
		for v := range rights {
			g.Targets = append(g.Targets, uint32(v))
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	g.Edges = make([]int64, len(g.Targets))
	return g
}

func schedule(r *rand.Rand, gate func(*commons.Memory, int, int) *clocks) *witness {
	o := &witness{workers: 1 + r.IntN(8), slack: r.IntN(6)}
	var c Cluster
	if r.IntN(4) == 0 {
		c = Cluster{Latency: time.Duration(r.IntN(20)) * time.Microsecond, Straggler: 3, Bandwidth: 1e8}
	}
	p, g := o.program(r), everyOne(o.workers, 1+r.IntN(4))
	options := Options{Workers: o.workers, Slack: o.slack, Epochs: 1 + r.IntN(20), Seed: r.Uint64(), Cluster: c,
		gate: gate}
	var err error
	if of := 1 + r.IntN(4); of > 1 && o.workers%of == 0 && !c.linked() {
		options.Processes.Of = of
		_, _, err = together(context.Background(), func() *Program[int64, int64, int64] { return p }, g, options)
	} else {
		_, _, err = Run(context.Background(), p, g, options)
	}
	if err != nil {
		o.wrong = err
	}
	return o
}

func TestReadsSeeWhatTheSlackPromises(t *testing.T) {
	r := testseed.Rand(t)
	stale, fresh := 0, 0
	for range 1000 {
		o := schedule(r, nil)
		if o.wrong != nil {
			t.Fatal(o.wrong)
		}
		if o.slack == 0 && o.stale+o.fresh > 0 {
			t.Fatalf("without slack, %d reads were stale and %d had seen their own clock's updates", o.stale, o.fresh)
		}
		stale, fresh = stale+o.stale, fresh+o.fresh
	}
	if stale == 0 || fresh == 0 {
		t.Errorf("%d reads were stale and %d early: the schedules tried nothing", stale, fresh)
	}
}

// TestBrokenClocksAreSeen: the witness notices clocks that let workers begin too early.
func TestBrokenClocksAreSeen(t *testing.T) {
	r := testseed.Rand(t)
	for name, gate := range testseed.Sorted(map[string]func(*commons.Memory, int, int) *clocks{
		"one clock too early": func(c *commons.Memory, workers, slack int) *clocks { return newClocks(c, workers, slack+1) },
		"no clocks":           func(c *commons.Memory, workers, _ int) *clocks { return newClocks(c, workers, Asynchronous) },
	}) {
		seen := 0
		for range 300 {
			if schedule(r, gate).wrong != nil {
				seen++
			}
		}
		if seen == 0 {
			t.Errorf("%s: nobody has noticed in 300 schedules", name)
		}
	}
}
