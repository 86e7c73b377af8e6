package mega

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// together runs a program as so many processes would, each of them here a goroutine with all that is a process's own.
// It returns what the first comes to, and what the workers of all have done.
func together[U any, V Number, E any](ctx context.Context, p func() *Program[U, V, E], g *Graph[E], o Options) (
	*State[U, V], Report, error) {
	of := o.Processes.Of
	o.Processes.Room = make([]byte, 1<<20)
	states, reports, errs := make([]*State[U, V], of), make([]Report, of), make([]error, of)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	for number := range of {
		group.Go(func() {
			own := o
			own.Processes.Number = number
			states[number], reports[number], errs[number] = Run(ctx, p(), g.copied(), own)
			if errs[number] != nil {
				cancel(errs[number])
			}
		})
	}
	group.Wait()
	var workers []WorkerReport
	for number, err := range errs {
		if err != nil {
			return nil, Report{}, err
		}
		if !slices.Equal(reports[number].Losses, reports[0].Losses) || reports[number].Done != reports[0].Done {
			return nil, Report{}, errors.New("processes know of other losses")
		}
		workers = append(workers, reports[number].Workers...)
	}
	reports[0].Workers = workers
	return states[0], reports[0], nil
}

func (g *Graph[E]) copied() *Graph[E] {
	return &Graph[E]{g.Rights, g.Offsets, slices.Clone(g.Targets), slices.Clone(g.Edges), slices.Clone(g.Sets)}
}

// dividing draws a graph, and options that divide its workers among processes.
func dividing(r *rand.Rand) (*Graph[int64], Options) {
	g := randomGraph(r)
	o := Options{Processes: Processes{Of: 2 + r.IntN(3)}, Epochs: 1 + r.IntN(6), Batch: 1 + r.IntN(40), Seed: r.Uint64()}
	o.Workers = o.Processes.Of * (1 + r.IntN(3))
	if o.Workers > g.Lefts() {
		return dividing(r)
	}
	return g, o
}

// Processes come to the bits of threads, and their workers do the same.
func TestProcesses_SameBits(t *testing.T) {
	r := testseed.Rand(t)
	for range 200 {
		g, o := dividing(r)
		shuffle, enough := r.IntN(2) == 0, r.IntN(8)
		program := func() *Program[int64, int64, int64] { return keeping(shuffle, enough) }
		got, report, err := together(t.Context(), program, g, o)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		alone := o
		alone.Processes = Processes{}
		want, of, err := Run(t.Context(), program(), g.copied(), alone)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Left, want.Left) || !slices.Equal(got.Right, want.Right) ||
			!slices.Equal(got.Context, want.Context) || !slices.Equal(report.Losses, of.Losses) || report.Done != of.Done {
			t.Fatalf("%d workers in %d processes: other bits than of threads", o.Workers, o.Processes.Of)
		}
		for k, w := range report.Workers {
			same := of.Workers[k]
			if w.Traffic != same.Traffic || w.Edges != same.Edges || w.Clocks != same.Clocks || w.Right != same.Right {
				t.Fatalf("worker %d of %d in %d processes: %+v, as a thread %+v", k, o.Workers, o.Processes.Of, w, same)
			}
		}
	}
}

// So they do by a cut that puts edges of a left vertex in several partitions, where both sides have masters.
func TestProcesses_Split(t *testing.T) {
	r := testseed.Rand(t)
	for range 100 {
		g, o := dividing(r)
		o.Cut = []Cut{BipartiteRight, Hybrid, Random}[r.IntN(3)]
		got, _, err := together(t.Context(), both, g, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Processes = Processes{}
		want, _, err := Run(t.Context(), both(), g.copied(), o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Left, want.Left) || !slices.Equal(got.Right, want.Right) {
			t.Fatalf("%+v: other bits than of threads", o)
		}
	}
}

// both is a program of rows that travel on both sides.
func both() *Program[int64, int64, int64] {
	return &Program[int64, int64, int64]{Name: "both", Left: Rows{Shared: 1}, Right: Rows{Shared: 2},
		StartLeft:  func(u int, row []int64) { row[0] = int64(u) },
		StartRight: func(v int, row []int64) { row[1] = int64(v) * 7 },
		Exchange: func(_ *Worker[int64], u, v []int64, edge *int64) {
			u[0] += v[1]%1009 + *edge
			v[0] += u[0] % 13
			v[1] += v[0]
		},
		Stages: []Stage{MiniBatch(Exchange(), Sync())}}
}

// What processes have come to they keep together, and go on from to the same bits.
func TestProcesses_Kept(t *testing.T) {
	r := testseed.Rand(t)
	interrupted := 0
	for range 100 {
		g, o := dividing(r)
		shuffle, enough := r.IntN(2) == 0, r.IntN(8)
		alone := o
		alone.Processes = Processes{}
		want, _, err := Run(t.Context(), keeping(shuffle, enough), g.copied(), alone)
		if err != nil {
			t.Fatal(err)
		}
		var kept []byte
		for done := false; !done; {
			room, own := make([]byte, 1<<18), o
			own.Processes.Room, own.Pause = make([]byte, 1<<20), func() bool { return true }
			var group sync.WaitGroup
			courses, sizes := make([]*Course[int64, int64, int64], o.Processes.Of), make([]int, o.Processes.Of)
			ended := make([]bool, o.Processes.Of)
			for number := range o.Processes.Of {
				own := own
				own.Processes.Number = number
				group.Go(func() {
					c, err := Start(keeping(shuffle, enough), g.copied(), own)
					if err == nil && kept != nil {
						err = c.Restore(kept)
					}
					if err == nil {
						ended[number], err = c.Continue(t.Context())
					}
					if err == nil && !ended[number] {
						sizes[number], err = c.Save(room)
					}
					if err == nil {
						err = c.Meet(t.Context())
					}
					if courses[number] = c; err != nil {
						t.Error(err)
					}
				})
			}
			if group.Wait(); t.Failed() {
				t.Fatalf("%+v", o)
			}
			if slices.Contains(ended, !ended[0]) {
				t.Fatalf("some processes are done: %v", ended)
			}
			done = ended[0]
			if interrupted++; !done {
				kept = room[:slices.Max(sizes)]
				if slices.Min(sizes) != len(kept) {
					t.Fatalf("processes keep %v bytes", sizes)
				}
				continue
			}
			for _, c := range courses {
				if s := c.State(); !slices.Equal(s.Left, want.Left) || !slices.Equal(s.Right, want.Right) ||
					!slices.Equal(s.Context, want.Context) {
					t.Fatalf("%d workers in %d processes: other bits than without interruption", o.Workers, o.Processes.Of)
				}
			}
		}
	}
	if interrupted < 150 {
		t.Errorf("%d interruptions", interrupted)
	}
}

// What cannot be divided, or has no room, is refused.
func TestProcesses_Refusals(t *testing.T) {
	for want, spoil := range map[string]func(*Options){
		"process 2 of 2":                 func(o *Options) { o.Processes.Number = 2 },
		"3 workers in 2 processes":       func(o *Options) { o.Workers = 3 },
		"a simulated network":            func(o *Options) { o.Cluster.Latency = 1 },
		"6 workers in 2 processes for 4": func(o *Options) { o.Workers = 6 },
		"there is room for 100":          func(o *Options) { o.Processes.Room = make([]byte, 100) },
	} {
		o := Options{Workers: 4, Epochs: 1, Processes: Processes{Of: 2, Room: make([]byte, 1<<16)}}
		spoil(&o)
		_, err := Start(mixing(), everyOne(4, 2), o)
		var bad *Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	type pointing *int
	_, err := Start(&Program[pointing, int64, int64]{Name: "pointing", Left: Rows{Mirror: 1}, Right: Rows{Shared: 1},
		Stages: []Stage{Sync()}}, everyOne(2, 2), Options{Workers: 2, Epochs: 1, Processes: Processes{Of: 2,
		Room: make([]byte, 1<<16)}})
	var bad *Error
	if !errors.As(err, &bad) || !strings.Contains(err.Error(), "cannot be shared") {
		t.Errorf("rows with pointers: %v", err)
	}
}

// A process whose peers never come gives up when it is told to.
func TestProcesses_Canceled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	tired := errors.New("tired")
	c, err := Start(mixing(), everyOne(2, 2), Options{Workers: 2, Epochs: 1, Processes: Processes{Of: 2,
		Room: make([]byte, 1<<16)}})
	if err != nil {
		t.Fatal(err)
	}
	cancel(tired)
	if _, err := c.Continue(ctx); !errors.Is(err, tired) {
		t.Errorf("%v", err)
	}
}
