package core

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// arenas is how many there are, and sessionsInTurn how many sessions are on one.
const arenas, sessionsInTurn = 9, 6

// Again runs one program after the other, in sessions on one arena, whose chunks stay as they are or give way to
// others: what a device remembers must be of those that are there.
func Again(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	for range arenas {
		g, m := drawn.RandomGraph(r), drive.Modes[r.IntN(3)]
		m.Again = true
		for range sessionsInTurn {
			if r.IntN(3) == 0 {
				g, _ = drawn.Halves(r, g)
			}
			if rig := testNext(t, r, device, g, m); rig != nil {
				m.After = rig
			}
		}
	}
}

// testNext runs some program of the catalog and ends its session; it is nil where there was none.
func testNext(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph, m drive.Mode) *drive.Rig {
	t.Helper()
	all := trial.Programs(drive.Describe(t, device))
	a := all[r.IntN(len(all))]
	args, ok := drawn.Bind(t, r, a, g)
	if !ok {
		return nil
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := algorithms.RunProgram(g, p)
	if err != nil {
		return nil // it diverges, which a host would notice
	}
	rig, err := drive.Open(t, r, device, g, drive.ProgramWork(t, g, p), m)
	if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
		rig.CloseSession()
		return nil
	}
	var got drive.Outcome
	if err == nil {
		got, err = rig.Run()
	}
	if err == nil {
		err = trial.Differs(g, got.Values, want, trial.NearlyFor(args))
	}
	if err != nil {
		t.Fatalf("%s after %d sessions, %s, %d vertices, %d edges, directed %v: %v", a.Name, m.Before(), m.Name, g.N(),
			drawn.EdgeCount(g), g.Directed, err)
	}
	rig.CloseSession()
	return rig
}
