package cpu_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// pathGraph is one path along n edges of weights from 0.9 to 1.
func pathGraph(n int) *algorithms.Graph {
	random := rand.New(rand.NewPCG(1, 1))
	ids, list := make([]int64, n+1), make([]algorithms.Edge, n)
	for v := range ids {
		ids[v] = int64(v)
	}
	for i := range list {
		list[i] = algorithms.Edge{Src: uint32(i), Dst: uint32(i + 1),
			Weights: map[string]float64{"weight": 0.9 + random.Float64()/10}}
	}
	return algorithms.NewGraph(true, ids, list)
}

// The programs of the table on a path of 200,000 edges: as many levels as vertices.
func BenchmarkPath(b *testing.B) {
	g := pathGraph(200_000)
	for _, name := range []string{"sssp", "pagerank", "num-paths", "adsorption", "bfs", "wcc", "widest-path",
		"narrowest-path",
		"min-reliability", "max-reliability", "max-cost", "reachability"} {
		b.Run(name, func(b *testing.B) {
			a, err := catalog.Lookup(name)
			if err != nil {
				b.Fatal(err)
			}
			params := map[string]string{}
			if name != "wcc" && name != "pagerank" {
				params["source"] = "0"
			}
			args, err := a.Bind(params, algorithms.Env{Directed: true, EdgeColumns: g.EdgeColumns(),
				Vertex: func(user string) (int64, error) { return strconv.ParseInt(user, 10, 64) }})
			if err != nil {
				b.Fatal(err)
			}
			p, err := a.Program(args)
			if err != nil {
				b.Fatal(err)
			}
			r := newRig(b, g, 64<<20)
			if err := r.program(p); err != nil {
				b.Fatal(err)
			}
			b.Log(r.plan.Kernel)
			r.chunks()
			err = r.do(context.Background(), func(ask func(plugins.Command) plugins.Event) {
				for _, u := range r.uploads {
					ask(u)
				}
				var iterations, runs int
				before := cpuSeconds(b)
				for b.Loop() {
					r.events = r.events[:0]
					ask(plugins.Command{Op: plugins.Init})
					iterations += ask(plugins.Command{Op: plugins.Iterate}).Iteration.Number
					runs++
				}
				b.ReportMetric((cpuSeconds(b)-before)*1e3/float64(runs), "cpu-ms")
				b.ReportMetric(float64(iterations)/float64(runs), "iterations")
			})
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}

// asked counts how often a loop asks whether the run is canceled: once for each of its tasks.
type asked struct {
	context.Context
	times atomic.Int64
}

func (a *asked) Err() error {
	a.times.Add(1)
	return a.Context.Err()
}

// Where an iteration's frontier is short, no loop over all vertices or edges is begun for it.
func TestShortFrontier_BeginsNoTasks(t *testing.T) {
	const n = 20_000
	g := pathGraph(n)
	for name, p := range map[string]*algorithms.Program{
		"fused":    walk(algorithms.Max, "id == 0 ? inf : -inf", "min(src.x + 0.0, edge.weight)"),
		"per edge": walk(algorithms.Min, "id == 0 ? 0.0 : inf", "src.x + edge.weight * edge.weight"),
	} {
		p.Order = algorithms.Synchronous
		r := newRig(t, g, 8<<20)
		if err := r.program(p); err != nil {
			t.Fatal(err)
		}
		r.chunks()
		ctx := &asked{Context: context.Background()}
		levels, err := r.wholeIn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if most := int64(2 * n); ctx.times.Load() > most || levels != n+1 {
			t.Errorf("%s: %d levels, %d tasks; expected %d levels and at most %d tasks", name, levels, ctx.times.Load(), n+1,
				most)
		}
	}
}

// So it is where a part of the graph settles.
func TestSettle_ShortFrontierBeginsNoTasks(t *testing.T) {
	const n = 20_000
	r := newRig(t, pathGraph(n), 8<<20)
	p := walk(algorithms.Min, "id == 0 ? 0.0 : inf", "src.x + edge.weight")
	p.Diverged = "a cycle gains" // without which it would be one round, in topological order
	if err := r.compileAs(p, plugins.Task{Settle: true}); err != nil {
		t.Fatal(err)
	}
	set := r.place(8 * ((n + 1 + 63) / 64))
	words, err := r.arena.Uint64s(set)
	if err != nil {
		t.Fatal(err)
	}
	fillInterval(words, chunk.Interval{Count: n / 2})
	ctx := &asked{Context: context.Background()}
	var it *plugins.Iteration
	if err := r.do(ctx, func(ask func(plugins.Command) plugins.Event) {
		for _, u := range r.uploads {
			ask(u)
		}
		ask(plugins.Command{Op: plugins.Init})
		it = ask(plugins.Command{Op: plugins.Settle, At: set}).Iteration
	}); err != nil {
		t.Fatal(err)
	}
	if it.Number != n/2 || it.Active != 1 || ctx.times.Load() > n/10 {
		t.Errorf("%d rounds, %d active, %d tasks; expected %d rounds, 1 active vertex and at most %d tasks", it.Number,
			it.Active, ctx.times.Load(), n/2, n/10)
	}
}

// walk is a program of one column x, doubles.
func walk(reduce algorithms.Reduce, init, process string) *algorithms.Program {
	return &algorithms.Program{Process: algorithms.Expr{Source: process}, Reduce: reduce, Order: algorithms.Monotone,
		State: []algorithms.State{{Name: "x", Type: algorithms.Float, Init: algorithms.Expr{Source: init}}}}
}

// Of a run of many levels most are told of together, where only the last state counts.
func TestLap_TellsOfLevelsTogether(t *testing.T) {
	const n = 20_000
	g := pathGraph(n)
	for name, p := range map[string]*algorithms.Program{
		"breadth-first search": walk(algorithms.Min, "id == 0 ? 0.0 : inf", "src.x + 1.0"),
		"push":                 walk(algorithms.Max, "id == 0 ? inf : -inf", "max(min(src.x, edge.weight), -1.0)"),
	} {
		r := newRig(t, g, 8<<20)
		if err := r.program(p); err != nil {
			t.Fatal(err)
		}
		r.chunks()
		told, err := r.whole()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(r.plan.Kernel, name) || told > n/10 {
			t.Errorf("%s: told of %d iterations of %d levels", r.plan.Kernel, told, n)
		}
	}
}
