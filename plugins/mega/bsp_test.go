package mega

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// mixing is a program of integers that depends on what is read, and when: any update that comes early or late, twice or
// not at all gives another result.
func mixing() *Program[int64, int64, int64] {
	return &Program[int64, int64, int64]{
		Name: "mixing", Left: Rows{Mirror: 1}, Right: Rows{Shared: 1, Master: 1, Mirror: 1}, Context: Rows{Shared: 1},
		StartLeft:  func(u int, row []int64) { row[0] = int64(u) },
		StartRight: func(v int, row []int64) { row[0] = int64(v) * 7 },
		Exchange: func(w *Worker[int64], u, v []int64, edge *int64) {
			v[1]++ // the mirror's own: it does not travel
			u[0] = u[0]*31 + v[0] + w.Context[0]
			v[0] += u[0]%1009 + *edge
			w.Context[0] += u[0] % 13
		},
		Visit: func(w *Worker[int64], u []int64) { u[0] ^= w.Context[0] },
		Apply: func(w *Worker[int64], master, change []int64) {
			master[0] += change[0]
			master[1] = master[1]*31 + change[0]*w.Context[0] // the master's own: the order of changes counts
		},
		Stages: []Stage{MiniBatch(Exchange(), Sync()), Visit(), Sync()},
	}
}

// oracle runs mixing plainly: in each clock all workers read what was before it, and then what they changed is added.
func oracle(g *Graph[int64], o Options) (left, right, own []int64, context int64) {
	cuts := []int{0}
	for k := 1; k <= o.Workers; k++ {
		at := g.Lefts()
		if k < o.Workers {
			at, _ = slices.BinarySearch(g.Offsets, int64(len(g.Targets))*int64(k)/int64(o.Workers))
			at = min(at, g.Lefts())
		}
		cuts = append(cuts, at)
	}
	most := int64(0)
	for k := range o.Workers {
		most = max(most, g.Offsets[cuts[k+1]]-g.Offsets[cuts[k]])
	}
	batches := max(1, (most+int64(o.Batch)-1)/int64(o.Batch))
	for u := range g.Lefts() {
		left = append(left, int64(u))
	}
	for v := range g.Rights {
		right, own = append(right, int64(v)*7), append(own, 0)
	}
	type change struct{ v, by int64 }
	pending := []change{}
	settle := func() { // at the beginning of a clock, with the context that it begins with
		for _, c := range pending {
			right[c.v] += c.by
			own[c.v] = own[c.v]*31 + c.by*context
		}
		pending = nil
	}
	for range o.Epochs {
		for b := range batches {
			settle()
			total := int64(0)
			for k := range o.Workers {
				mine, tau := slices.Clone(right), context
				n := g.Offsets[cuts[k+1]] - g.Offsets[cuts[k]]
				from, to := g.Offsets[cuts[k]]+n*b/batches, g.Offsets[cuts[k]]+n*(b+1)/batches
				for u := cuts[k]; u < cuts[k+1]; u++ {
					for i := max(from, g.Offsets[u]); i < min(to, g.Offsets[u+1]); i++ {
						v := g.Targets[i]
						left[u] = left[u]*31 + mine[v] + tau
						mine[v] += left[u]%1009 + g.Edges[i]
						tau += left[u] % 13
					}
				}
				for v := range mine {
					if mine[v] != right[v] {
						pending = append(pending, change{int64(v), mine[v] - right[v]})
					}
				}
				total += tau - context
			}
			context += total
		}
		settle()
		for u := range left {
			left[u] ^= context
		}
	}
	return left, right, own, context
}

func randomGraph(r *rand.Rand) *Graph[int64] {
	g := &Graph[int64]{Rights: 1 + r.IntN(30), Offsets: []int64{0}}
	for range 1 + r.IntN(40) {
		for range r.IntN(8) {
			g.Targets = append(g.Targets, uint32(r.IntN(g.Rights)))
		}
		g.Offsets = append(g.Offsets, int64(len(g.Targets)))
	}
	if len(g.Targets) == 0 {
		return randomGraph(r)
	}
	for range g.Targets {
		g.Edges = append(g.Edges, int64(r.IntN(100)))
	}
	return g
}

func TestBulkSynchronousIsSequential(t *testing.T) {
	r := testseed.Rand(t)
	for range 300 {
		g := randomGraph(r)
		o := Options{Workers: 1 + r.IntN(8), Epochs: 1 + r.IntN(4), Batch: 1 + r.IntN(40)}
		left, right, own, tau := oracle(g, o)
		s, _, err := Run(context.Background(), mixing(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Left, left) || s.Context[0] != tau {
			t.Fatalf("%d workers, batch %d: left rows or context are others than the oracle's", o.Workers, o.Batch)
		}
		for v := range right {
			if s.Right[2*v] != right[v] || s.Right[2*v+1] != own[v] {
				t.Fatalf("%d workers, batch %d: vertex %d is %v, the oracle says %d %d", o.Workers, o.Batch, v, s.Right[2*v:2*v+2],
					right[v], own[v])
			}
		}
	}
}

// Of what one partition has, nothing travels; of others only what has changed.
func TestOnlyChangedRowsTravel(t *testing.T) {
	p := &Program[int64, int64, int64]{Name: "rarely", Right: Rows{Shared: 2}, Stages: []Stage{MiniBatch(Exchange(), Sync())},
		Exchange: func(w *Worker[int64], _, v []int64, edge *int64) {
			if w.Number == 1 && *edge == 3 && w.Epoch == 0 {
				v[0]++
			}
		}}
	for workers, want := range map[int]Traffic{1: {}, 2: {Pushed: 16, Pulled: 16*5 + 16}} {
		g := everyOne(2, 5)
		for i := range g.Edges {
			g.Edges[i] = int64(i % 5)
		}
		_, report, err := Run(context.Background(), p, g, Options{Workers: workers, Epochs: 3})
		if err != nil {
			t.Fatal(err)
		}
		got := Traffic{}
		for _, w := range report.Workers {
			got.Pushed += w.Traffic.Pushed
			got.Pulled += w.Traffic.Pulled
		}
		// All masters are the first worker's: the second pulls five rows at first, and again the one that it has changed.
		if got != want {
			t.Errorf("%d workers: %+v, want %+v", workers, got, want)
		}
	}
}

func TestBadInputIsRefused(t *testing.T) {
	good := func() (*Program[int64, int64, int64], *Graph[int64], Options) {
		return mixing(), everyOne(2, 2), Options{Workers: 2, Epochs: 1}
	}
	for want, spoil := range map[string]func(*Program[int64, int64, int64], *Graph[int64], *Options){
		"slack -2":          func(_ *Program[int64, int64, int64], _ *Graph[int64], o *Options) { o.Slack = -2 },
		"0 epochs":          func(_ *Program[int64, int64, int64], _ *Graph[int64], o *Options) { o.Epochs = 0 },
		"batch of -1":       func(_ *Program[int64, int64, int64], _ *Graph[int64], o *Options) { o.Batch = -1 },
		"2000 workers":      func(_ *Program[int64, int64, int64], _ *Graph[int64], o *Options) { o.Workers = 2000 },
		"2 left and 0":      func(_ *Program[int64, int64, int64], g *Graph[int64], _ *Options) { g.Rights = 0 },
		"vertex 7 of 2":     func(_ *Program[int64, int64, int64], g *Graph[int64], _ *Options) { g.Targets[1] = 7 },
		"values of edges":   func(_ *Program[int64, int64, int64], g *Graph[int64], _ *Options) { g.Edges = g.Edges[1:] },
		"bandwidth of -1":   func(_ *Program[int64, int64, int64], _ *Graph[int64], o *Options) { o.Cluster.Bandwidth = -1 },
		"a latency of -1ns": func(_ *Program[int64, int64, int64], _ *Graph[int64], o *Options) { o.Cluster.Latency = -1 },
		"not end with Sync": func(p *Program[int64, int64, int64], _ *Graph[int64], _ *Options) {
			p.Stages = []Stage{Exchange()}
		},
	} {
		p, g, o := good()
		spoil(p, g, &o)
		_, _, err := Run(context.Background(), p, g, o)
		var typed *Error
		if !errors.As(err, &typed) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestCancelingEndsWorkersThatWait(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	p := mixing()
	p.Exchange = func(w *Worker[int64], _, _ []int64, _ *int64) {
		if w.Number == 0 {
			cancel(why)
		}
	}
	p.Visit = nil
	p.Stages = []Stage{MiniBatch(Exchange(), Sync())}
	if _, _, err := Run(ctx, p, everyOne(3, 3), Options{Workers: 3, Epochs: MaxEpochs}); !errors.Is(err, why) {
		t.Errorf("%v, want %v", err, why)
	}
}
