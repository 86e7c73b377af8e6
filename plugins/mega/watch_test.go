package mega

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/penstock-db/penstock/internal/testseed"
)

// failing is mixing of which every function but Apply can be told to fail: at a clock, in one worker.
func failing(stage string, worker, clock int, fail func()) *Program[int64, int64, int64] {
	p := mixing()
	p.Tally = 1
	meet := func(at string, w *Worker[int64]) {
		if at == stage && w.Number == worker && w.Clock >= clock {
			fail()
		}
	}
	exchange, visit, apply := p.Exchange, p.Visit, p.Apply
	p.Exchange = func(w *Worker[int64], u, v []int64, edge *int64) {
		meet("Exchange", w)
		exchange(w, u, v, edge)
	}
	p.Visit = func(w *Worker[int64], u []int64) {
		meet("Visit", w)
		visit(w, u)
	}
	p.Settle = func(w *Worker[int64], _ uint32, _ []int64) { meet("Settle", w) }
	p.Apply = func(w *Worker[int64], master, change []int64) {
		meet("Apply", w)
		apply(w, master, change)
	}
	p.VisitRight = func(w *Worker[int64], _ []int64) { meet("VisitRight", w) }
	p.Stages = append(p.Stages, VisitRight(), Sync())
	return p
}

var failingStages = []string{"Exchange", "Visit", "Settle", "Apply", "VisitRight"}

// A program that panics in one worker ends the run with an error that names worker, stage, clock and place, whatever
// the others are in, who all end.
func TestRun_WorkerDies(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		for _, stage := range failingStages {
			o := Options{Workers: 1 + r.IntN(6), Slack: r.IntN(4) - 1, Epochs: 8, Batches: 1 + r.IntN(3), Seed: r.Uint64(),
				Patience: time.Minute}
			if r.IntN(3) == 0 {
				o.Cluster = Cluster{Latency: time.Microsecond}
			}
			worker, clock := r.IntN(o.Workers), 1+r.IntN(10)
			p := failing(stage, worker, clock, func() { panic("worn out") })
			_, _, err := Run(t.Context(), p, owning(o.Workers), o)
			var died *WorkerError
			if stage == "Apply" && err == nil {
				continue // the worker need not have been the one that applies
			}
			if !errors.As(err, &died) || died.Hangs() {
				t.Fatalf("%s, %+v: %v", stage, o, err)
			}
			if died.Worker != worker || died.Clock < clock || died.Epoch != died.Clock/(o.Batches+2) ||
				!strings.HasPrefix(died.Stage, stage) || died.Panic != "worn out" || !strings.HasPrefix(died.At, "watch_test.go:") {
				t.Fatalf("%s of worker %d in clock %d of %+v: %v", stage, worker, clock, o, died)
			}
		}
	}
}

// A program that never returns in one worker ends the run with an error that names it, though others wait for it, or
// for the masters that it holds.
func TestRun_WorkerHangs(t *testing.T) {
	for _, stage := range failingStages {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			r := testseed.Rand(t)
			o := Options{Workers: 2 + r.IntN(5), Epochs: 8, Batches: 1 + r.IntN(3), Seed: r.Uint64(),
				Patience: 2 * time.Second} // for which no other worker is kept from running
			free := make(chan struct{})
			defer close(free)
			worker, clock := r.IntN(o.Workers), 1+r.IntN(10)
			_, _, err := Run(t.Context(), failing(stage, worker, clock, func() { <-free }), owning(o.Workers), o)
			var hung *WorkerError
			if stage == "Apply" && err == nil {
				return // as above
			}
			if !errors.As(err, &hung) || !hung.Hangs() || hung.Silent != o.Patience {
				t.Fatalf("%+v: %v", o, err)
			}
			want := fmt.Sprintf("mixing: worker %d of %d hangs in %s", worker, o.Workers, stage)
			if hung.Worker != worker || hung.Clock < clock || !strings.HasPrefix(hung.Error(), want) {
				t.Errorf("worker %d in clock %d of %+v: %v", worker, clock, o, hung)
			}
		})
	}
}

// Whoever waits for a slow one does not hang, nor does who is slow but gets somewhere.
func TestRun_SlowIsNotHung(t *testing.T) {
	const patience = time.Minute
	p := counting()
	exchange := p.Exchange
	p.Exchange = func(w *Worker[int64], u, v []int64, edge *int64) {
		if w.Number == 0 {
			time.Sleep(patience / 17) // 16 vertices take less than it, and a clock more
		}
		exchange(w, u, v, edge)
	}
	g := &Graph[int64]{Rights: 1, Offsets: []int64{0}}
	for range 240 {
		g.Targets, g.Edges = append(g.Targets, 0), append(g.Edges, 0)
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	synctest.Test(t, func(t *testing.T) {
		if _, _, err := Run(t.Context(), p, g, Options{Workers: 2, Epochs: 2, Patience: patience}); err != nil {
			t.Fatal(err)
		}
	})
	var bad *Error
	if _, _, err := Run(t.Context(), p, g, Options{Epochs: 1, Patience: -1}); !errors.As(err, &bad) {
		t.Errorf("a patience below 0: %v", err)
	}
}

// owning is a graph in which each worker has a left vertex, whose edges lead to every right one, and to three of them
// twice: it has their masters.
func owning(workers int) *Graph[int64] {
	const own = 3
	g := &Graph[int64]{Rights: own * workers, Offsets: []int64{0}}
	for k := range workers {
		for v := range g.Rights {
			g.Targets = append(g.Targets, uint32(v))
		}
		for i := range own {
			g.Targets = append(g.Targets, uint32(own*k+i))
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	g.Edges = make([]int64, len(g.Targets))
	return g
}
