package extensions

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/extension"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// PassModes are how chunks may come in passes: all rows of those that are needed, or the active rows alone; lists
// whole, and in pieces.
var PassModes = []drive.Mode{
	{Name: "in passes", Streamed: true, Passes: true, Partition: drive.Partition{Rows: 5, Cols: 1, Whole: true}},
	{Name: "in passes over a sparse grid", Streamed: true, Passes: true,
		Partition: drive.Partition{Rows: 4, Cols: 3, Sparse: true}},
	{Name: "in passes by active rows", Streamed: true, Passes: true, Active: true,
		Partition: drive.Partition{Rows: 4, Cols: 2, Whole: true}},
}

// Passes compares each procedure that the device computes in passes with its oracle: with as much memory as the
// device likes, and with the least that will do.
func Passes(t *testing.T, device plugins.Device) {
	d := drive.Describe(t, device)
	if extension.Lacks(d, plugins.ExtensionPasses) {
		t.Skip("the device computes procedures with all chunks at once")
	}
	all := trial.Procedures(d, catalog.All())
	PassesOf(t, device, all)
	t.Run("commands", func(t *testing.T) { PassCommands(t, testseed.Rand(t), device, all) })
}

// PassesOf compares these procedures.
func PassesOf(t *testing.T, device plugins.Device, all algorithms.Catalog) {
	for _, a := range all {
		if a.Procedure.Edgeless { // it reads no chunk
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			for range drawn.Graphs(t) {
				trial.Algorithm(t, r, device, a, drawn.RandomGraph(r), PassModes...)
			}
			g := drawn.DenseGraph(r, 200, 4000)
			for _, m := range long.Draw(t, PassModes, 1) {
				testLeastPasses(t, r, device, a, g, m)
			}
		})
	}
}

// leftForChunks is what a device leaves for chunks, at least, of a budget that it may use for lists.
const leftForChunks = 16 << 10

// testLeastPasses gives the device what the plan takes without a bound, and two chunks. These are so small that they
// fit what a device leaves for them. drive.Dialog sees to it that it holds no more.
func testLeastPasses(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, g *algorithms.Graph,
	m drive.Mode) {
	t.Helper()
	args, ok := drawn.Bind(t, r, a, g)
	if !ok {
		return
	}
	seed := r.Uint64()
	cuts := func() *rand.Rand { return rand.New(rand.NewPCG(seed, 2)) } // the same chunks twice
	least, err := drive.Open(t, cuts(), device, g, drive.ProcedureWork(a, args), m)
	if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
		t.Skipf("not in passes on this device: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, largest := least.Stored.Size()
	if drive.Slots*(largest+drive.VertexRoom) > leftForChunks {
		least.Close()
		m.Partition.Rows *= 2
		testLeastPasses(t, r, device, a, g, m)
		return
	}
	m.Budget = least.Plan.Fixed + drive.Slots*(largest+drive.VertexRoom+8*uint64(g.N()))
	least.Close()
	got, err := trial.RunAlgorithm(t, cuts(), device, a, args, g, m)
	want, wantErr := a.Oracle(g, args)
	if err := trial.Judge(a, g, args, got, err, want, wantErr); err != nil {
		t.Errorf("%s, %s, with %d bytes, directed %v, %+v: %v", a.Name, m.Name, m.Budget, g.Directed, args, err)
	}
}

// PassCommands: a task in passes is not called, and one that is called has no passes. A pass without its lists has
// no end.
func PassCommands(t *testing.T, r *rand.Rand, device plugins.Device, all algorithms.Catalog) {
	for _, passes := range []bool{true, false} {
		m, refused := PassModes[0], plugins.Call
		if m.Passes = passes; !passes {
			refused = plugins.Init
		}
		rig := AnyProcedure(t, r, device, all, m)
		if rig == nil {
			t.Skip("the device computes no procedure so")
		}
		rig.Begin(t.Context())
		command := plugins.Command{Op: refused}
		_, err := rig.Talk.Exchange(command)
		rig.Talk.Refused(err, plugins.KindInvalid, command, true)
		rig.Close()
	}
	rig := AnyProcedure(t, r, device, all, PassModes[0])
	rig.Begin(t.Context())
	if it, err := rig.Init(); err != nil || it.Active == 0 {
		t.Fatalf("after Init: %+v, %v; expected vertices whose lists are needed", it, err)
	}
	command := plugins.Command{Op: plugins.Apply}
	_, err := rig.Talk.Exchange(command)
	rig.Talk.Refused(err, plugins.KindInvalid, command, true)
}

// AnyProcedure has a session with some of these procedures that the device computes so; nil: there is none.
func AnyProcedure(t *testing.T, r *rand.Rand, device plugins.Device, all algorithms.Catalog, m drive.Mode) *drive.Rig {
	t.Helper()
	g := drawn.DenseGraph(r, 80, 400)
	for _, a := range all {
		if args, ok := drawn.Bind(t, r, a, g); ok {
			if rig, err := drive.Open(t, r, device, g, drive.ProcedureWork(a, args), m); err == nil {
				return rig
			}
		}
	}
	return nil
}
