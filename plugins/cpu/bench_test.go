package cpu_test

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// rmat is a directed Graph500 graph (a=.57 b=.19 c=.19, shuffled ids) as CSR both ways.
// It has no Lists: those of a large graph would not fit beside it.
type rmat struct {
	n       int
	out, in csr
}

type csr struct {
	offsets   []int32
	neighbors []uint32
	weights   []float64
}

const benchScale, benchFactor = 18, 16

var benchGraph = sync.OnceValue(func() rmat {
	n, random := 1<<benchScale, rand.New(rand.NewPCG(7, 7))
	shuffle := random.Perm(n)
	edges := make([]uint64, n*benchFactor)
	for i := range edges {
		var u, v int
		for range benchScale {
			x := random.Float64()
			u, v = u<<1, v<<1
			switch {
			case x >= 0.95:
				u, v = u|1, v|1
			case x >= 0.76:
				u |= 1
			case x >= 0.57:
				v |= 1
			}
		}
		edges[i] = uint64(shuffle[u])<<32 | uint64(shuffle[v])
	}
	g := rmat{n: n, out: newCSR(n, edges)}
	for i, e := range edges {
		edges[i] = bits.RotateLeft64(e, 32)
	}
	g.in = newCSR(n, edges)
	return g
})

func newCSR(n int, edges []uint64) csr {
	slices.Sort(edges)
	c := csr{offsets: make([]int32, n+1), neighbors: make([]uint32, len(edges)), weights: make([]float64, len(edges))}
	for i, e := range edges {
		c.offsets[e>>32+1] = int32(i + 1)
		c.neighbors[i] = uint32(e)
		c.weights[i] = float64(1 + (e^e>>32)%255)
	}
	for v := range n {
		c.offsets[v+1] = max(c.offsets[v+1], c.offsets[v])
	}
	return c
}

// benchRig has the columns and chunks of a task over the RMAT graph in an arena.
func benchRig(b *testing.B, task plugins.Task) *rig {
	p := task.Program
	g := benchGraph()
	ids, degrees := make([]int64, g.n), algorithms.Lists{}
	for v := range ids {
		ids[v] = int64(v)
	}
	degrees.Offsets = make([]int, g.n+1)
	for v, at := range g.out.offsets {
		degrees.Offsets[v] = int(at)
	}
	graph := &algorithms.Graph{Directed: true, IDs: ids, Out: degrees, In: algorithms.Lists{Offsets: degrees.Offsets}}
	r := newRig(b, graph, uint64(g.n)*64+uint64(len(g.out.neighbors))*28)
	if err := algorithms.Check(p, []string{"weight"}); err != nil {
		b.Fatal(err)
	}
	if err := r.compile(task, algorithms.VertexColumns(p)); err != nil {
		b.Fatal(err)
	}
	every := chunk.Interval{Count: uint64(g.n)}
	for _, d := range r.plan.Directions {
		c := g.out
		if d == chunk.In {
			c = g.in
		}
		r.put(chunk.Meta{Graph: "rmat", Direction: d, Rows: every, Cols: every}, nil, c.offsets, c.neighbors, p.EdgeColumns,
			[][]float64{c.weights})
	}
	return r
}

// benchProgram is a program of the catalog, from the vertex of most edges.
func benchProgram(b *testing.B, name string) *algorithms.Program {
	a, err := catalog.Lookup(name)
	if err != nil {
		b.Fatal(err)
	}
	g := benchGraph()
	hub := 0
	for v := range g.n {
		if g.out.offsets[v+1]-g.out.offsets[v] > g.out.offsets[hub+1]-g.out.offsets[hub] {
			hub = v
		}
	}
	p, err := a.Program(algorithms.Args{Directed: true, Ints: map[string]int64{"source": int64(hub)},
		Floats: map[string]float64{"damping": 0.85, "tolerance": 1e-6}, Strings: map[string]string{"weight": "weight"}})
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func benchmark(b *testing.B, name string, edit func(*algorithms.Program)) {
	p := benchProgram(b, name)
	if edit != nil {
		edit(p)
	}
	r := benchRig(b, plugins.Task{Program: p})
	b.Log(r.plan.Kernel)
	err := r.do(context.Background(), func(ask func(plugins.Command) plugins.Event) {
		before := cpuSeconds(b)
		for _, u := range r.uploads {
			ask(u)
		}
		upload := cpuSeconds(b) - before
		var iterations, runs int
		before = cpuSeconds(b)
		for b.Loop() {
			ask(plugins.Command{Op: plugins.Init})
			iterations += ask(plugins.Command{Op: plugins.Iterate}).Iteration.Number
			runs++
		}
		b.ReportMetric((cpuSeconds(b)-before)*1e3/float64(iterations), "cpu-ms/iteration")
		b.ReportMetric(upload*1e3, "cpu-ms/upload")
		b.ReportMetric(float64(iterations)/float64(runs), "iterations")
	})
	if err != nil {
		b.Fatal(err)
	}
}

// cpuSeconds are the seconds of processor that this process has used: what can be
// compared on a machine that others use too.
func cpuSeconds(b *testing.B) float64 {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func BenchmarkPageRank(b *testing.B) {
	benchmark(b, "pagerank", func(p *algorithms.Program) { p.MaxIterations, p.Exactly = 10, true })
}

// shapes are ways to write a Process P down: as the catalog has it; with an operation
// that changes nothing, which must find the same kernel; with one that changes no value,
// which only their values tell; and with a condition on the target, which the
// catalog's kernels need not look at.
var shapes = map[string]map[algorithms.Type]string{
	"itself":    {algorithms.Float: "P", algorithms.Int: "P", algorithms.Bool: "P"},
	"rewritten": {algorithms.Float: "1.0 * (P)", algorithms.Int: "(P) + 0", algorithms.Bool: "(P) || false"},
	"clamped":   {algorithms.Float: "max(P, -1.0)", algorithms.Int: "max(P, -1)", algorithms.Bool: "(P) == true"},
	"targeted": {algorithms.Float: "dst.id < 0 ? 0.0 : P", algorithms.Int: "dst.id < 0 ? 0 : P",
		algorithms.Bool: "dst.id < 0 ? false : P"},
}

func BenchmarkShapes(b *testing.B) {
	for _, a := range catalog.All() {
		if a.Program == nil {
			continue
		}
		for _, shape := range []string{"itself", "rewritten", "clamped", "targeted"} {
			b.Run(a.Name+"/"+shape, func(b *testing.B) {
				benchmark(b, a.Name, func(p *algorithms.Program) {
					kind := p.State[0].Type
					if kind == algorithms.VertexID {
						kind = algorithms.Int
					}
					p.Process.Source = strings.ReplaceAll(shapes[shape][kind], "P", p.Process.Source)
					p.MaxIterations = 8
				})
			})
		}
	}
}

func BenchmarkBFS(b *testing.B)  { benchmark(b, "bfs", nil) }
func BenchmarkSSSP(b *testing.B) { benchmark(b, "sssp", nil) }
func BenchmarkWCC(b *testing.B)  { benchmark(b, "wcc", nil) }

// A part of the vertices at a time, for one round or until they come to rest.
func BenchmarkSettle(b *testing.B) {
	for _, name := range []string{"pagerank-delta", "bfs", "sssp", "wcc"} {
		for _, rounds := range []uint32{1, 4, 0} {
			b.Run(fmt.Sprintf("%s/%d", name, rounds), func(b *testing.B) { benchmarkSettle(b, benchProgram(b, name), rounds) })
		}
	}
}

func benchmarkSettle(b *testing.B, p *algorithms.Program, rounds uint32) {
	if p.Edges == algorithms.BothSides {
		p.Edges = algorithms.Forward // labels go one way then, which takes as long
	}
	r := benchRig(b, plugins.Task{Program: p, Settle: true})
	var runs, edges float64
	before := cpuSeconds(b)
	if err := r.settled(8, []uint32{rounds}, func() bool { runs++; return b.Loop() }); err != nil {
		b.Fatal(err)
	}
	for _, e := range r.events {
		edges += float64(e.Edges)
	}
	b.ReportMetric((cpuSeconds(b)-before)*1e9/edges, "cpu-ns/edge")
	b.ReportMetric(edges/(runs-1)/1e6, "Medges")
	b.ReportMetric(float64(len(r.events))/(runs-1), "settles")
}
