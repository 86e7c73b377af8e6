package plugintest

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/plugins"
)

// testRestore cuts runs of the catalog after some iteration and goes on in another
// session, that knows nothing of the first but the state columns and the active set. They end
// with the same bits as if they had not been cut, after as many iterations, where these are
// not the device's own.
func testRestore(t *testing.T, device plugins.Device) {
	everyProgram(t, device, func(m mode) bool { return m.streamed || m.settled }, testCut)
}

func testCut(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, g *algorithms.Graph, m mode) {
	t.Helper()
	args, ok := bind(t, r, a, g)
	if !ok {
		return
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	seed, bound := r.Uint64(), p.Bound(uint64(g.N()))+1
	open := func() *rig { // each with the same chunks
		rig, err := newRig(t, rand.New(rand.NewPCG(seed, 1)), device, g, programWork(t, g, p), m)
		if err == nil && !rig.plan.Restores {
			err = plugins.Errorf(plugins.KindUnsupported, "the plan does not say Restores")
		}
		if err != nil && plugins.KindOf(err) == plugins.KindUnsupported {
			t.Logf("the device does not do it, %s: %v", m.name, err)
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		rig.begin(t.Context())
		return rig
	}
	whole := open()
	if whole == nil {
		return
	}
	defer whole.close()
	end := whole.goOn(whole.first(), bound)
	if end.Number < 2 {
		return
	}
	cut := open()
	defer cut.close()
	at := cut.goOn(cut.first(), 1+r.IntN(end.Number-1))
	cut.talk.finish()

	rest := open()
	defer rest.close()
	rest.state.take(cut.state)
	again, err := rest.restore(at)
	if err != nil {
		t.Fatalf("%s, %s: Restore of %+v: %v", a.Name, m.name, at, err)
	}
	if again.Number != at.Number || again.Converged {
		t.Errorf("%s, %s: Restore of %+v tells of %+v", a.Name, m.name, at, again)
	}
	last := rest.goOn(again, bound)
	if last.Number != end.Number && !ownRounds(p) || last.Active != end.Active || last.Converged != end.Converged {
		t.Errorf("%s, %s, cut after %d: ended with %+v; expected %+v", a.Name, m.name, at.Number, last, end)
	}
	if err := differs(g, rest.state.copies(), whole.state.copies(), sameBits); err != nil {
		t.Errorf("%s, %s, %d vertices, %d edges, directed %v, cut after %d of %d: %v",
			a.Name, m.name, g.N(), edgeCount(g), g.Directed, at.Number, end.Number, err)
	}
	whole.talk.finish()
	rest.talk.finish()
}

// ownRounds tells whether only the last state counts, and iterations are the device's own.
func ownRounds(p *algorithms.Program) bool {
	return p.Order == algorithms.Monotone && !p.Exactly && p.MaxIterations == 0
}
