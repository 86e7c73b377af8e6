package model

import (
	"context"
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins/internal/shape"
	"github.com/penstock-db/penstock/plugins/internal/vector"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// TestUnroll has programs whose steps can follow each other do several in a run: the state after each is what the
// definition of the program makes it, in the types of all providers.
func TestUnroll(t *testing.T) {
	r, runtime := testseed.Rand(t), orttest.Runtime(t)
	for _, provider := range []ort.Provider{ort.CPU, ort.TensorRT, ort.CANN} {
		facts := provider.Facts()
		facts.Bucket = 8
		for _, name := range []string{"bfs", "wcc", "reachability", "sssp", "max-reliability", "min-reliability",
			"widest-path", "narrowest-path"} {
			t.Run(string(provider)+" "+name, func(t *testing.T) {
				done := 0
				for range 10 {
					a, _ := catalog.Lookup(name)
					c, err := oracletest.RandomCase(r, a, 40)
					if err != nil {
						t.Fatal(err)
					}
					p, err := a.Program(c.Args)
					if err != nil {
						t.Fatal(err)
					}
					done += followUnrolled(t, runtime, facts, c.Graph, p)
				}
				if provider == ort.CPU && done == 0 {
					t.Error("no run of several steps was done")
				}
			})
		}
	}
}

// followUnrolled does steps until there are no more, and counts the runs that were of several.
func followUnrolled(t *testing.T, runtime *ort.Runtime, facts ort.Facts, g *algorithms.Graph,
	p *algorithms.Program) (done int) {
	t.Helper()
	if err := algorithms.Check(p, g.EdgeColumns()); err != nil {
		t.Fatal(err)
	}
	plan, err := For(p, Size{N: g.N(), Facts: facts, Paper: true})
	if refused(t, err) {
		return 0
	}
	m, err := plan.Build(runtime, ort.Options{}, g.N(), edgesOf(g, p), nil)
	if refused(t, err) {
		return 0
	}
	defer m.Close()
	run, err := algorithms.NewInterpreter(g, p)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		lane := laneOf(plan, g, run)
		lane.State = copied(lane.Columns["src."+p.State[0].Name])
		steps := 0
		ok, err := m.Unroll(context.Background(), lane, func() bool {
			steps++
			advance(t, g, p, run)
			state := run.State()[0]
			nearState(t, plan, fmt.Sprintf("step %d", steps), lane,
				vector.Column{Floats: state.Floats, Ints: state.Ints, Bools: state.Bools})
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return done
		}
		if steps != Unrolled {
			t.Fatalf("%d steps were told of; expected %d", steps, Unrolled)
		}
		done++
	}
	return done
}

func copied(c vector.Column) vector.Column {
	return vector.Column{Floats: append([]float64(nil), c.Floats...), Ints: append([]int64(nil), c.Ints...),
		Bools: append([]bool(nil), c.Bools...)}
}

// advance is an iteration as it is defined.
func advance(t *testing.T, g *algorithms.Graph, p *algorithms.Program, run *algorithms.Interpreter) {
	t.Helper()
	for _, lists := range listsOf(g, p) {
		if err := run.Send(lists.sent); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := run.Apply(); err != nil {
		t.Fatal(err)
	}
}

// nearState compares states: exactly, unless the provider rounds weights.
func nearState(t *testing.T, plan *Plan, when string, l Lane, want vector.Column) {
	t.Helper()
	rounds := 0.0
	if plan.size.Facts.Float != onnx.Float64 && plan.shape.Weighting != shape.Unweighted {
		rounds = 4 * Unrolled * (paper{plan}).precision()
	}
	for v := range columnLen(want) {
		same := want.Floats != nil && near64(l.Acc.Floats[v], want.Floats[v], rounds) ||
			want.Ints != nil && l.Acc.Ints[v] == want.Ints[v] || want.Bools != nil && l.Acc.Bools[v] == want.Bools[v]
		if !same {
			t.Fatalf("%s, %s: after %s the states are\n%v; expected\n%v", plan.Kernel, plan.program.Process.Source, when, l.Acc,
				want)
		}
	}
}

func near64(a, b, share float64) bool {
	return a == b || max(a, b)-min(a, b) <= share*max(a, -a, b, -b)
}

// TestUnroll_Widths tries the operators that choose between state and weight, and ranks of doubles.
func TestUnroll_Widths(t *testing.T) {
	r, runtime := testseed.Rand(t), orttest.Runtime(t)
	for process, reduce := range testseed.Sorted(map[string]algorithms.Reduce{"min(src.x, edge.weight)": algorithms.Max,
		"max(src.x, edge.weight)": algorithms.Min, "src.x": algorithms.Max}) {
		p := &algorithms.Program{Name: "widths", Reduce: reduce, Order: algorithms.Monotone, Activity: algorithms.Changed,
			Process: expr(process),
			State:   []algorithms.State{{Name: "x", Init: expr("double(id % 7)")}}}
		for _, provider := range []ort.Provider{ort.CPU, ort.CANN} {
			if followUnrolled(t, runtime, provider.Facts(), weighted(r, func() float64 { return float64(r.IntN(9)) }), p) == 0 {
				t.Errorf("%s by %s: no run of several steps was done", process, provider)
			}
		}
	}
}

// TestUnroll_OutOfRange has numbers that would leave a provider's on the way be left to single steps.
func TestUnroll_OutOfRange(t *testing.T) {
	r, runtime := testseed.Rand(t), orttest.Runtime(t)
	g := weighted(r, func() float64 { return 4000 }) // once is below half precision's 8192, several times is not
	p := &algorithms.Program{Name: "far", Reduce: algorithms.Min, Order: algorithms.Monotone, Activity: algorithms.Changed,
		Process: expr("src.x + edge.weight"),
		State:   []algorithms.State{{Name: "x", Init: expr("0.0")}}}
	if done := followUnrolled(t, runtime, ort.CANN.Facts(), g, p); done != 0 {
		t.Errorf("%d runs were done", done)
	}
	if done := followUnrolled(t, runtime, ort.TensorRT.Facts(), g, p); done == 0 {
		t.Error("single precision has room for them")
	}
}
