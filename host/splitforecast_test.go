package host

import (
	"context"
	"testing"

	"github.com/penstock-db/penstock/host/internal/choose"
	"github.com/penstock-db/penstock/host/internal/partition"
	"github.com/penstock-db/penstock/host/internal/plan"
	"github.com/penstock-db/penstock/host/internal/rates"
	"github.com/penstock-db/penstock/internal/core"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/store"
)

// Where the second device is quick and the first takes as long as it has edges, auto takes the core with most of them,
// and learns what it took; where it is slow, the first computes alone, unless a core was asked for.
func TestSplit_AutoIsForTheSooner(t *testing.T) {
	g := random(testseed.Rand(t), 200, 3000, true, false, false)
	snap := g.stored(t, 0)
	req := Request{Algorithm: "bfs", Params: map[string]string{"source": g.users[0]}, Device: "cpu+npu",
		PluginDir: withNPU(t)}
	want := mustRun(t, snap, Request{Algorithm: "bfs", Params: req.Params})
	for _, c := range []struct {
		cpu, npu   float64
		asks, rule string
	}{{0.2, 1e-4, "", "degree:50%"}, {1e-4, 0.2, "", core.None}, {1e-4, 0.2, "degree:10%", "degree:10%"}} {
		req.Core = c.asks
		e := knowing(t, snap, req, c.cpu, c.npu)
		knowFewEdges(t, e, snap, req)
		got, err := e.Run(context.Background(), snap, req, Events{})
		if err != nil {
			t.Fatal(err)
		}
		r := got.Report.Core
		if !same(got.Columns, want.Columns) || r.Rule != c.rule || r.Without < 0.5*c.cpu || r.Without > 1.5*c.cpu ||
			len(got.Report.Devices) == 2 == (c.rule == core.None) {
			t.Errorf("%+v: %+v, %d devices", c, r, len(got.Report.Devices))
		}
		if knows := knowsParts(t, e, snap, req); knows != (c.rule != core.None) {
			t.Errorf("%+v: knows how long parts take: %v", c, knows)
		}
	}
}

// knowFewEdges has an engine know that the CPU takes nearly no time for nearly no edges.
func knowFewEdges(t *testing.T, e *Engine, snap *store.Snapshot, req Request) {
	t.Helper()
	known, spec := ofCPU(t, e, snap, req)
	w, err := known.Work(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	w.Edges, w.Rounds = 1, 3
	known.Book.Add(known.Key(spec), known.Kind(), 0, rates.Sample{Work: w, Load: 1e-6, Compute: 1e-6, Peak: 1})
}

// knowsParts tells whether an engine has learned how long parts take.
func knowsParts(t *testing.T, e *Engine, snap *store.Snapshot, req Request) bool {
	t.Helper()
	return partition.KnowsRest(ofCPU(t, e, snap, req))
}

// ofCPU is what an engine knows of what req asks for, and the CPU.
func ofCPU(t *testing.T, e *Engine, snap *store.Snapshot, req Request) (choose.Known, launch.Spec) {
	t.Helper()
	spec, err := e.finder(req).Spec(plan.CPUDevice)
	if err != nil {
		t.Fatal(err)
	}
	return knownOf(t, e, snap, req), spec
}
