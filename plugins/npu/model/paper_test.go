package model

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/algorithms/oracletest"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/npu/onnx"
	"github.com/penstock-db/penstock/plugins/npu/ort"
	"github.com/penstock-db/penstock/plugins/npu/ort/orttest"
)

// TestPaper has the paper's own operators do the catalog, in the types of all providers: what they do not refuse is
// right, within what the kernel's name says.
func TestPaper(t *testing.T) {
	r, runtime := testseed.Rand(t), orttest.Runtime(t)
	done := map[string]int{}
	for _, provider := range []ort.Provider{ort.CPU, ort.TensorRT, ort.CANN} {
		facts := provider.Facts()
		facts.Bucket = 8
		for _, a := range catalog.All() {
			if a.Program == nil {
				continue
			}
			t.Run(string(provider)+" "+a.Name, func(t *testing.T) {
				for range 6 {
					c, err := oracletest.RandomCase(r, a, 30)
					if err != nil {
						t.Fatal(err)
					}
					p, err := a.Program(c.Args)
					if err != nil {
						t.Fatal(err)
					}
					if followPaper(t, runtime, facts, c.Graph, p) {
						done[a.Name]++
					}
				}
			})
		}
	}
	for _, name := range []string{"bfs", "sssp", "pagerank", "wcc", "reachability", "widest-path", "narrowest-path"} {
		if done[name] == 0 {
			t.Errorf("%s was refused always", name)
		}
	}
}

// followPaper compares the first iterations, until one is refused.
func followPaper(t *testing.T, runtime *ort.Runtime, facts ort.Facts, g *algorithms.Graph,
	p *algorithms.Program) (done bool) {
	t.Helper()
	if err := algorithms.Check(p, g.EdgeColumns()); err != nil {
		t.Fatal(err)
	}
	plan, err := For(p, Size{N: g.N(), Facts: facts, Paper: true})
	if refused(t, err) {
		return false
	}
	m, err := plan.Build(runtime, ort.Options{}, g.N(), edgesOf(g, p), nil)
	if refused(t, err) {
		return false
	}
	defer m.Close()
	run, err := algorithms.NewInterpreter(g, p)
	if err != nil {
		t.Fatal(err)
	}
	for range min(p.Bound(uint64(g.N())), 4) {
		lane := laneOf(plan, g, run)
		if refused(t, m.Send(context.Background(), []Lane{lane})) {
			return done
		}
		near(t, plan, g, lane)
		done = true
		advance(t, g, p, run)
	}
	return done
}

func refused(t *testing.T, err error) bool {
	t.Helper()
	if err != nil && plugins.KindOf(err) != plugins.KindUnsupported {
		t.Fatal(err)
	}
	return err != nil
}

// near compares doubles within the precision of the provider's type, and everything else exactly.
func near(t *testing.T, plan *Plan, g *algorithms.Graph, lane Lane) {
	t.Helper()
	want := arrives(plan, g, lane)
	if want.Floats == nil || plan.size.Facts.Float == onnx.Float64 {
		differ(t, plan, 0, lane, want)
		return
	}
	largest, edges := 0.0, 0
	for _, x := range want.Floats {
		if !math.IsInf(x, 0) {
			largest = max(largest, math.Abs(x))
		}
	}
	for row := range edgesOf(g, plan.program) {
		edges += len(row.Sources)
	}
	for v, x := range want.Floats {
		bound := largest * (paper{plan}).precision() * float64(4+edges)
		if got := lane.Acc.Floats[v]; got != x && !(math.Abs(got-x) <= bound) {
			t.Fatalf("%s, %s: acc of %d is %v; expected %v within %v", plan.Kernel, plan.program.Process.Source, v, got, x,
				fmt.Sprint(bound))
		}
	}
}
