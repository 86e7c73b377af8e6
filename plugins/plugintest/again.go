package plugintest

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// arenas is how many there are, and sessionsInTurn how many sessions are on one.
const arenas, sessionsInTurn = 9, 6

// testAgain runs one program after the other, in sessions on one arena, whose chunks stay as they are or give way to
// others: what a device remembers must be of those that are there.
func testAgain(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	for range arenas {
		g, m := randomGraph(r), modes[r.IntN(3)]
		m.again = true
		for range sessionsInTurn {
			if r.IntN(3) == 0 {
				g, _ = halves(r, g)
			}
			if rig := testNext(t, r, device, g, m); rig != nil {
				m.after = rig
			}
		}
	}
}

// testNext runs some program of the catalog and ends its session; it is nil where there was none.
func testNext(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph, m mode) *rig {
	t.Helper()
	all := programs(describe(t, device))
	a := all[r.IntN(len(all))]
	args, ok := bind(t, r, a, g)
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
	rig, err := newRig(t, r, device, g, programWork(t, g, p), m)
	if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
		rig.closeSession()
		return nil
	}
	var got outcome
	if err == nil {
		got, err = rig.run()
	}
	if err == nil {
		err = differs(g, got.values, want, nearlyFor(args))
	}
	if err != nil {
		t.Fatalf("%s after %d sessions, %s, %d vertices, %d edges, directed %v: %v", a.Name, m.before(), m.name, g.N(),
			edgeCount(g), g.Directed, err)
	}
	rig.closeSession()
	return rig
}
