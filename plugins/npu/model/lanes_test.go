package model

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// TestLanes has lanes send together what they would send alone, some of them nothing, some numbers of all
// magnitudes.
func TestLanes(t *testing.T) {
	r, runtime := testseed.Rand(t), orttest.Runtime(t)
	for _, process := range []string{"src.x", "src.x * edge.weight", "src.x + edge.weight", "src.x - dst.x"} {
		for _, reduce := range []algorithms.Reduce{algorithms.Sum, algorithms.Min, algorithms.Max} {
			t.Run(process+", "+reduce.String(), func(t *testing.T) {
				g := weighted(r, func() float64 { return float64(1 + r.IntN(9)) })
				p := &algorithms.Program{Name: "lanes", Reduce: reduce, Process: expr(process), Activity: algorithms.Always,
					MaxIterations: 1,
					State:         []algorithms.State{{Name: "x", Init: expr("0.0"), Apply: expr("acc")}}}
				if r.IntN(2) == 0 && reduce != algorithms.Sum {
					p.Order, p.Activity, p.MaxIterations, p.State[0].Apply = algorithms.Monotone, algorithms.Changed, 0,
						algorithms.Expr{}
				}
				if err := algorithms.Check(p, g.EdgeColumns()); err != nil {
					t.Fatal(err)
				}
				sendLanes(t, r, runtime, g, p)
			})
		}
	}
}

func sendLanes(t *testing.T, r *rand.Rand, runtime *ort.Runtime, g *algorithms.Graph, p *algorithms.Program) {
	plan, err := For(p, Size{N: g.N() + r.IntN(5), Lanes: 9, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	m, err := plan.Build(runtime, ort.Options{}, g.N(), edgesOf(g, p), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	lanes := make([]Lane, 9)
	for i := range lanes {
		lanes[i] = randomLane(r, g.N(), i)
	}
	if err := m.Send(context.Background(), lanes); err != nil {
		t.Fatal(err)
	}
	for i, l := range lanes {
		differ(t, plan, i, l, arrives(plan, g, l))
	}
}

// randomLane has numbers whose magnitudes differ the more the larger spread is.
func randomLane(r *rand.Rand, n, spread int) Lane {
	x := make([]float64, n)
	for v := range x {
		x[v] = math.Ldexp(float64(1+r.IntN(1000)), r.IntN(1+spread*40))
	}
	column := vector.Column{Floats: x}
	l := Lane{Columns: map[string]vector.Column{"src.x": column, "dst.x": column}, Senders: make([]uint64, (n+63)/64),
		Acc: vector.Make(algorithms.Float, n)}
	for v := range x {
		if spread > 0 && r.IntN(3) > 0 {
			l.Senders[v/64] |= 1 << (v % 64)
		}
	}
	return l
}

// TestNobody: a matrix of no vertices has nothing to send.
func TestNobody(t *testing.T) {
	runtime := orttest.Runtime(t)
	for _, a := range catalog.All() {
		if a.Name != "bfs" && a.Name != "pagerank" && a.Name != "sssp" {
			continue
		}
		p, err := a.Program(algorithms.Args{Ints: map[string]int64{}, Floats: map[string]float64{},
			Strings: map[string]string{}})
		if err == nil {
			err = algorithms.Check(p, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		plan, err := For(p, Size{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := plan.Build(runtime, ort.Options{}, 0, func(func(Row) bool) {}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Send(context.Background(), make([]Lane, 1)); err != nil {
			t.Error(err)
		}
		m.Close()
	}
}

// TestLargest: what Largest says fits, and one more does not.
func TestLargest(t *testing.T) {
	for _, process := range []string{"src.x", "src.x * edge.weight", "src.x + edge.weight", "src.x - dst.x"} {
		for _, reduce := range []algorithms.Reduce{algorithms.Sum, algorithms.Min} {
			p := &algorithms.Program{Name: "largest", Reduce: reduce, Process: expr(process), Order: algorithms.Monotone,
				State: []algorithms.State{{Name: "x", Init: expr("0.0")}}}
			if err := algorithms.Check(p, []string{"weight"}); err != nil {
				t.Fatal(err)
			}
			bytes := func(n int) uint64 {
				plan, err := For(p, Size{N: n, Lanes: 3, Threads: 2})
				if err != nil {
					t.Fatal(err)
				}
				return plan.Bytes
			}
			plan, err := For(p, Size{N: 1, Lanes: 3, Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			const room = 300 << 20
			n := plan.Largest(room)
			if bytes(n) > room || bytes(n+1) <= room {
				t.Errorf("%v: %d vertices take %d bytes, and one more %d; expected that %d lies between",
					fmt.Sprint(process, reduce), n, bytes(n), bytes(n+1), room)
			}
		}
	}
}
