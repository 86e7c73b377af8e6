package extensions

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// Restore cuts runs of the catalog after some iteration and goes on in another
// session, that knows nothing of the first but the state columns and the active set. They end
// with the same bits as if they had not been cut, after as many iterations, where these are
// not the device's own.
func Restore(t *testing.T, device plugins.Device) {
	trial.EveryProgram(t, device, func(m drive.Mode) bool { return m.Streamed || m.Settled }, testCut)
}

func testCut(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, g *algorithms.Graph,
	m drive.Mode) {
	t.Helper()
	args, ok := drawn.Bind(t, r, a, g)
	if !ok {
		return
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	seed, bound := r.Uint64(), p.Bound(uint64(g.N()))+1
	open := func() *drive.Rig { // each with the same chunks
		rig, err := drive.Open(t, rand.New(rand.NewPCG(seed, 1)), device, g, drive.ProgramWork(t, g, p), m)
		if err == nil && !rig.Plan.Restores {
			err = plugins.Errorf(plugins.KindUnsupported, "the plan does not say Restores")
		}
		if err != nil && plugins.KindOf(err) == plugins.KindUnsupported {
			t.Logf("the device does not do it, %s: %v", m.Name, err)
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		rig.Begin(t.Context())
		return rig
	}
	whole := open()
	if whole == nil {
		return
	}
	defer whole.Close()
	end := whole.GoOn(whole.First(), bound)
	if end.Number < 2 {
		return
	}
	cut := open()
	defer cut.Close()
	at := cut.GoOn(cut.First(), 1+r.IntN(end.Number-1))
	cut.Talk.Finish()

	rest := open()
	defer rest.Close()
	rest.State.Take(cut.State)
	again, err := rest.Restore(at)
	if err != nil {
		t.Fatalf("%s, %s: Restore of %+v: %v", a.Name, m.Name, at, err)
	}
	if again.Number != at.Number || again.Converged {
		t.Errorf("%s, %s: Restore of %+v tells of %+v", a.Name, m.Name, at, again)
	}
	last := rest.GoOn(again, bound)
	if last.Number != end.Number && !ownRounds(p) || last.Active != end.Active || last.Converged != end.Converged {
		t.Errorf("%s, %s, cut after %d: ended with %+v; expected %+v", a.Name, m.Name, at.Number, last, end)
	}
	if err := trial.Differs(g, rest.State.Copies(), whole.State.Copies(), trial.SameBits); err != nil {
		t.Errorf("%s, %s, %d vertices, %d edges, directed %v, cut after %d of %d: %v",
			a.Name, m.Name, g.N(), drawn.EdgeCount(g), g.Directed, at.Number, end.Number, err)
	}
	whole.Talk.Finish()
	rest.Talk.Finish()
}

// ownRounds tells whether only the last state counts, and iterations are the device's own.
func ownRounds(p *algorithms.Program) bool {
	return p.Order == algorithms.Monotone && !p.Exactly && p.MaxIterations == 0
}
