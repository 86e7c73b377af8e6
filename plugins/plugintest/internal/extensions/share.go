package extensions

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// Share has two sessions do runs of the catalog together, each with its share of the
// vertices. They end with the same bits as one session that has all, after as many iterations,
// where these are not the device's own.
func Share(t *testing.T, device plugins.Device) {
	trial.EveryProgram(t, device, func(m drive.Mode) bool { return m.Streamed || m.Settled && !m.Nearest }, testTogether)
}

func testTogether(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, g *algorithms.Graph,
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
	if m.Settled && p.Order != algorithms.Monotone {
		return // what has come to a vertex and is not sent yet it would have to send along the edges of both
	}
	n, seed := uint64(g.N()), r.Uint64()
	m.Joins = r.IntN(2) == 0 && !m.Settled
	open := func(share *chunk.Interval) *drive.Rig { // each with the same chunks
		m.Share = share
		rig, err := drive.Open(t, rand.New(rand.NewPCG(seed, 1)), device, g, drive.ProgramWork(t, g, p), m)
		if err == nil && share != nil && !rig.Plan.Shares {
			err = plugins.Errorf(plugins.KindUnsupported, "the plan does not say Shares")
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
	border := 64 * r.Uint64N(n/64+1)
	parts := []*drive.Rig{open(&chunk.Interval{Count: border}), open(&chunk.Interval{Base: border, Count: n - border})}
	whole := open(nil)
	if parts[0] == nil || parts[1] == nil || whole == nil {
		return
	}
	last, end := together(t, p, parts), whole.GoOn(whole.First(), p.Bound(n)+1)
	if last.Number != end.Number && !ownRounds(p) && !m.Settled || last.Active != end.Active ||
		last.Converged != end.Converged {
		t.Errorf("%s, %s, border %d: ended with %+v; one session with %+v", a.Name, m.Name, border, last, end)
	}
	for _, part := range parts {
		if err := trial.Differs(g, part.State.Copies(), whole.State.Copies(), trial.SameBits); err != nil {
			t.Errorf("%s, %s, %d vertices, %d edges, directed %v, border %d: %v",
				a.Name, m.Name, g.N(), drawn.EdgeCount(g), g.Directed, border, err)
		}
	}
	for _, rig := range append(parts, whole) {
		rig.Talk.Finish()
		rig.Close()
	}
}

// together does iterations until the program has converged: after each, the parts tell each
// other of what is theirs.
func together(t *testing.T, p *algorithms.Program, parts []*drive.Rig) (it plugins.Iteration) {
	t.Helper()
	for _, part := range parts {
		it = part.First()
	}
	for parts[0].Task.Settle && !it.Converged {
		it = settledTogether(t, parts, it.Number+1)
	}
	for !it.Converged {
		next := plugins.Iteration{Number: it.Number + 1}
		for _, part := range parts {
			if err := part.Pass(); err != nil {
				t.Fatal(err)
			}
			answers, err := part.Talk.Exchange(plugins.Command{Op: plugins.Apply})
			if err != nil {
				t.Fatal(err)
			}
			own := answers[0].Iterations[0]
			next.Active += own.Active
			next.Looked = next.Looked.Plus(own.Looked)
			if next.Change += own.Change; p.Norm == algorithms.LInf {
				next.Change = max(next.Change-own.Change, own.Change)
			}
		}
		if parts[0].Plan.Joins {
			it = joined(t, parts, next)
			continue
		}
		parts[0].State.TakeShare(parts[1].State, *parts[1].Mode.Share)
		parts[1].State.TakeShare(parts[0].State, *parts[0].Mode.Share)
		for _, part := range parts {
			var err error
			if it, err = part.Restore(next); err != nil {
				t.Fatalf("Restore of %+v: %v", next, err)
			}
		}
	}
	return it
}

// settledTogether is a pass in which each part settles by itself; then they meet: whoever has changed is to send along
// the edges of both.
func settledTogether(t *testing.T, parts []*drive.Rig, pass int) (it plugins.Iteration) {
	t.Helper()
	for _, part := range parts {
		if _, err := part.SettlePass(plugins.Iteration{}, pass); err != nil {
			t.Fatal(err)
		}
	}
	active := make([]uint64, len(parts[0].State.Active()))
	for i, part := range parts {
		for k, word := range part.State.Active() {
			active[k] |= word
		}
		for k, c := range part.State.Computed() {
			own, other := part.State.Column(c), parts[1-i].State.Column(parts[1-i].State.Computed()[k])
			for v := part.Mode.Share.Base; v < part.Mode.Share.End(); v++ {
				if trial.At(own, int(v)) != trial.At(other, int(v)) {
					active[v/64] |= 1 << (v % 64)
				}
			}
		}
	}
	it.Number = pass
	for _, word := range active {
		it.Active += uint64(bits.OnesCount64(word))
	}
	parts[0].State.TakeShare(parts[1].State, *parts[1].Mode.Share)
	parts[1].State.TakeShare(parts[0].State, *parts[0].Mode.Share)
	for _, part := range parts {
		copy(part.State.Active(), active)
		if _, err := part.Restore(it); err != nil {
			t.Fatalf("Restore of %+v: %v", it, err)
		}
	}
	it.Converged = it.Active == 0
	return it
}

// joined has the second part be told of all that the first has joined, and then both of what the two have.
func joined(t *testing.T, parts []*drive.Rig, next plugins.Iteration) (it plugins.Iteration) {
	t.Helper()
	if next.Active != 0 {
		t.Errorf("%d vertices are active, though all edges have been sent", next.Active)
	}
	restore := func(part *drive.Rig) {
		clear(part.State.Active())
		var err error
		if it, err = part.Restore(next); err != nil {
			t.Fatalf("Restore of %+v: %v", next, err)
		}
	}
	parts[1].State.Take(parts[0].State)
	restore(parts[1])
	parts[0].State.Take(parts[1].State)
	next.Complete = true
	for _, part := range parts {
		restore(part)
	}
	return it
}
