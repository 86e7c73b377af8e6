package plugintest

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// passModes are how chunks may come in passes: all rows of those that are needed, or the active rows alone; lists
// whole, and in pieces.
var passModes = []mode{
	{name: "in passes", streamed: true, passes: true, partition: partition{rows: 5, cols: 1, whole: true}},
	{name: "in passes over a sparse grid", streamed: true, passes: true,
		partition: partition{rows: 4, cols: 3, sparse: true}},
	{name: "in passes by active rows", streamed: true, passes: true, active: true,
		partition: partition{rows: 4, cols: 2, whole: true}},
}

// testPasses compares each procedure that the device computes in passes with its oracle: with as much memory as the
// device likes, and with the least that will do.
func testPasses(t *testing.T, device plugins.Device) {
	d := describe(t, device)
	if extension.Lacks(d, plugins.ExtensionPasses) {
		t.Skip("the device computes procedures with all chunks at once")
	}
	all := procedures(d, algorithms.All())
	testPassesOf(t, device, all)
	t.Run("commands", func(t *testing.T) { testPassCommands(t, testseed.Rand(t), device, all) })
}

// testPassesOf compares these procedures.
func testPassesOf(t *testing.T, device plugins.Device, all algorithms.Catalog) {
	for _, a := range all {
		if a.Procedure.Edgeless { // it reads no chunk
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			for range graphs(t) {
				testAlgorithm(t, r, device, a, randomGraph(r), passModes...)
			}
			g := denseGraph(r, 200, 4000)
			for _, m := range long.Draw(t, passModes, 1) {
				testLeastPasses(t, r, device, a, g, m)
			}
		})
	}
}

// leftForChunks is what a device leaves for chunks, at least, of a budget that it may use for lists.
const leftForChunks = 16 << 10

// testLeastPasses gives the device what the plan takes without a bound, and two chunks. These are so small that they
// fit what a device leaves for them. dialog sees to it that it holds no more.
func testLeastPasses(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, g *algorithms.Graph,
	m mode) {
	t.Helper()
	args, ok := bind(t, r, a, g)
	if !ok {
		return
	}
	seed := r.Uint64()
	cuts := func() *rand.Rand { return rand.New(rand.NewPCG(seed, 2)) } // the same chunks twice
	least, err := newRig(t, cuts(), device, g, procedureWork(a, args), m)
	if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
		t.Skipf("not in passes on this device: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, largest := least.stored.size()
	if slots*(largest+vertexRoom) > leftForChunks {
		least.close()
		m.partition.rows *= 2
		testLeastPasses(t, r, device, a, g, m)
		return
	}
	m.budget = least.plan.Fixed + slots*(largest+vertexRoom+8*uint64(g.N()))
	least.close()
	got, err := runAlgorithm(t, cuts(), device, a, args, g, m)
	want, wantErr := a.Oracle(g, args)
	if err := judge(a, g, args, got, err, want, wantErr); err != nil {
		t.Errorf("%s, %s, with %d bytes, directed %v, %+v: %v", a.Name, m.name, m.budget, g.Directed, args, err)
	}
}

// testPassCommands: a task in passes is not called, and one that is called has no passes. A pass without its lists has
// no end.
func testPassCommands(t *testing.T, r *rand.Rand, device plugins.Device, all algorithms.Catalog) {
	for _, passes := range []bool{true, false} {
		m, refused := passModes[0], plugins.Call
		if m.passes = passes; !passes {
			refused = plugins.Init
		}
		rig := anyProcedure(t, r, device, all, m)
		if rig == nil {
			t.Skip("the device computes no procedure so")
		}
		rig.begin(t.Context())
		command := plugins.Command{Op: refused}
		_, err := rig.talk.exchange(command)
		rig.talk.refused(err, plugins.KindInvalid, command, true)
		rig.close()
	}
	rig := anyProcedure(t, r, device, all, passModes[0])
	rig.begin(t.Context())
	if it, err := rig.init(); err != nil || it.Active == 0 {
		t.Fatalf("after Init: %+v, %v; expected vertices whose lists are needed", it, err)
	}
	command := plugins.Command{Op: plugins.Apply}
	_, err := rig.talk.exchange(command)
	rig.talk.refused(err, plugins.KindInvalid, command, true)
}

// anyProcedure has a session with some of these procedures that the device computes so; nil: there is none.
func anyProcedure(t *testing.T, r *rand.Rand, device plugins.Device, all algorithms.Catalog, m mode) *rig {
	t.Helper()
	g := denseGraph(r, 80, 400)
	for _, a := range all {
		if args, ok := bind(t, r, a, g); ok {
			if rig, err := newRig(t, r, device, g, procedureWork(a, args), m); err == nil {
				return rig
			}
		}
	}
	return nil
}
