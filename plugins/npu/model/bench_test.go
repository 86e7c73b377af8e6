//go:build unix

package model

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// BenchmarkSend is one iteration in which everybody sends, over a matrix of which an eighth are edges.
//
//	go test -run - -bench Send -benchtime 20x ./plugins/npu/model
func BenchmarkSend(b *testing.B) {
	runtime := orttest.Runtime(b)
	for _, c := range []struct {
		name, process, weights string
		paper                  bool
	}{
		{"pagerank", "src.x / double(src.out_degree)", "", false},
		{"pagerank", "src.x / double(src.out_degree)", "", true},
		{"sssp", "src.x + edge.weight", "real", false},
		{"sssp", "src.x + edge.weight", "real", true},
		{"sssp bytes", "src.x + edge.weight", "small", false},
		{"reliability", "src.x * edge.weight", "real", false},
		{"weighted sum", "src.x * edge.weight", "real", false},
		{"bfs", "src.x + 1.0", "", false},
		{"bfs", "src.x + 1.0", "", true},
	} {
		for _, n := range []int{2048, 8192} {
			for _, lanes := range []int{1, 64} {
				name := c.name
				if c.paper {
					name = "paper's " + name
				}
				b.Run(fmt.Sprintf("%s/%d/%d", name, n, lanes), func(b *testing.B) {
					p := benchProgram(b, c.name, c.process, c.weights)
					benchmarkSend(b, runtime, p, Size{N: n, Lanes: lanes, Threads: 2, Paper: c.paper}, c.weights == "small")
				})
			}
		}
	}
}

func benchProgram(b *testing.B, name, process, weights string) *algorithms.Program {
	p := &algorithms.Program{Name: name, Reduce: algorithms.Sum, Activity: algorithms.Always, MaxIterations: 1,
		Process: expr(process),
		State:   []algorithms.State{{Name: "x", Init: expr("1.0"), Apply: expr("acc")}}}
	if name != "pagerank" && name != "weighted sum" {
		p.Reduce, p.Activity, p.Order, p.MaxIterations = algorithms.Min, algorithms.Changed, algorithms.Monotone, 0
		p.State[0].Apply = algorithms.Expr{}
	}
	var columns []string
	if weights != "" {
		columns = []string{"weight"}
	}
	if err := algorithms.Check(p, columns); err != nil {
		b.Fatal(err)
	}
	return p
}

func benchmarkSend(b *testing.B, runtime *ort.Runtime, p *algorithms.Program, size Size, small bool) {
	n, lanes := size.N, size.Lanes
	plan, err := For(p, size)
	if err != nil {
		b.Fatal(err)
	}
	m, err := plan.Build(runtime, ort.Options{}, n, randomEdges(n, small, len(p.EdgeColumns) > 0), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	r := rand.New(rand.NewPCG(1, 2))
	var all []Lane
	for range lanes {
		l := Lane{Columns: map[string]vector.Column{"src.x": {Floats: make([]float64, n)},
			"src.out_degree": {Ints: make([]int64, n)}},
			Senders: make([]uint64, n/64), Acc: vector.Make(algorithms.Float, n), Left: make([]uint64, n/64)}
		for v := range n {
			l.Columns["src.x"].Floats[v], l.Columns["src.out_degree"].Ints[v] = 1+r.Float64(), 1+r.Int64N(int64(n/4))
			if small || p.Name == "bfs" {
				l.Columns["src.x"].Floats[v] = float64(3 + r.IntN(2))
			}
			l.Senders[v/64] |= 1 << (v % 64)
		}
		all = append(all, l)
	}
	before := processorTime(b)
	for b.Loop() {
		if err := m.Send(context.Background(), all); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64((processorTime(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(plan.Bytes)/(1<<20), "MiB")
}

// BenchmarkBuild makes a matrix of 8192 vertices and an eighth of all pairs.
func BenchmarkBuild(b *testing.B) {
	runtime := orttest.Runtime(b)
	const n = 8192
	for _, c := range []struct{ name, process, weights string }{
		{"pagerank", "src.x / double(src.out_degree)", ""},
		{"sssp", "src.x + edge.weight", "real"},
		{"sssp bytes", "src.x + edge.weight", "small"},
	} {
		p := benchProgram(b, c.name, c.process, c.weights)
		rows := slices.Collect(randomEdges(n, c.weights == "small", c.weights != ""))
		b.Run(c.name, func(b *testing.B) {
			before := processorTime(b)
			for b.Loop() {
				plan, err := For(p, Size{N: n, Threads: 2})
				if err != nil {
					b.Fatal(err)
				}
				m, err := plan.Build(runtime, ort.Options{}, n, slices.Values(rows), nil)
				if err != nil {
					b.Fatal(err)
				}
				m.Close()
			}
			b.ReportMetric(float64((processorTime(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
		})
	}
}

// processorTime is what all threads have taken: it tells more than the clock where others compute as well.
func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// randomEdges has an edge for an eighth of all pairs.
func randomEdges(n int, small, weighted bool) Edges {
	return func(yield func(Row) bool) {
		r := rand.New(rand.NewPCG(3, 4))
		for v := range n {
			row := Row{Target: uint32(v)}
			var weights []float64
			for u := range n {
				if r.IntN(8) > 0 {
					continue
				}
				row.Sources = append(row.Sources, uint32(u))
				if weight := 1 - r.Float64(); small {
					weights = append(weights, float64(1+int(weight*16)))
				} else {
					weights = append(weights, weight)
				}
			}
			if weighted {
				row.Weights = [][]float64{weights}
			}
			if !yield(row) {
				return
			}
		}
	}
}

// BenchmarkUnroll is a step of the paper's form, as a run of its own or one of K of a run.
//
//	go test -run - -bench Unroll ./plugins/npu/model
func BenchmarkUnroll(b *testing.B) {
	runtime := orttest.Runtime(b)
	for _, n := range []int{256, 2048} {
		p := benchProgram(b, "sssp", "src.x + edge.weight", "real")
		plan, err := For(p, Size{N: n, Paper: true})
		if err != nil {
			b.Fatal(err)
		}
		m, err := plan.Build(runtime, ort.Options{}, n, randomEdges(n, false, true), nil)
		if err != nil {
			b.Fatal(err)
		}
		l := Lane{Columns: map[string]vector.Column{"src.x": {Floats: make([]float64, n)}}, Senders: make([]uint64, n/64),
			Acc: vector.Make(algorithms.Float, n)}
		for i := range l.Senders {
			l.Senders[i] = ^uint64(0)
		}
		l.State = l.Columns["src.x"]
		b.Run(fmt.Sprintf("K=1/%d", n), func(b *testing.B) {
			for b.Loop() {
				if err := m.Send(context.Background(), []Lane{l}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "µs/step")
		})
		for _, steps := range []int{4, 8, 16} {
			w := m.sender.(*whole)
			if err := w.unroll(steps); err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("K=%d/%d", steps, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := m.Unroll(context.Background(), l, func() bool { return true }); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*steps), "µs/step")
			})
			w.unrolled.blocks.Close()
			w.unrolled = nil
		}
		m.Close()
	}
}
