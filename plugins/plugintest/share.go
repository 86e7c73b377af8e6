package plugintest

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/plugins"
)

// testShare has two sessions do runs of the catalog together, each with its share of the
// vertices. They end with the same bits as one session that has all, after as many iterations,
// where these are not the device's own.
func testShare(t *testing.T, device plugins.Device) {
	everyProgram(t, device, func(m mode) bool { return m.streamed || m.settled && !m.nearest }, testTogether)
}

func testTogether(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, g *algorithms.Graph,
	m mode) {
	t.Helper()
	args, ok := bind(t, r, a, g)
	if !ok {
		return
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	if m.settled && p.Order != algorithms.Monotone {
		return // what has come to a vertex and is not sent yet it would have to send along the edges of both
	}
	n, seed := uint64(g.N()), r.Uint64()
	m.joins = r.IntN(2) == 0 && !m.settled
	open := func(share *chunk.Interval) *rig { // each with the same chunks
		m.share = share
		rig, err := newRig(t, rand.New(rand.NewPCG(seed, 1)), device, g, programWork(t, g, p), m)
		if err == nil && share != nil && !rig.plan.Shares {
			err = plugins.Errorf(plugins.KindUnsupported, "the plan does not say Shares")
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
	border := 64 * r.Uint64N(n/64+1)
	parts := []*rig{open(&chunk.Interval{Count: border}), open(&chunk.Interval{Base: border, Count: n - border})}
	whole := open(nil)
	if parts[0] == nil || parts[1] == nil || whole == nil {
		return
	}
	last, end := together(t, p, parts), whole.goOn(whole.first(), p.Bound(n)+1)
	if last.Number != end.Number && !ownRounds(p) && !m.settled || last.Active != end.Active ||
		last.Converged != end.Converged {
		t.Errorf("%s, %s, border %d: ended with %+v; one session with %+v", a.Name, m.name, border, last, end)
	}
	for _, part := range parts {
		if err := differs(g, part.state.copies(), whole.state.copies(), sameBits); err != nil {
			t.Errorf("%s, %s, %d vertices, %d edges, directed %v, border %d: %v",
				a.Name, m.name, g.N(), edgeCount(g), g.Directed, border, err)
		}
	}
	for _, rig := range append(parts, whole) {
		rig.talk.finish()
		rig.close()
	}
}

// together does iterations until the program has converged: after each, the parts tell each
// other of what is theirs.
func together(t *testing.T, p *algorithms.Program, parts []*rig) (it plugins.Iteration) {
	t.Helper()
	for _, part := range parts {
		it = part.first()
	}
	for parts[0].task.Settle && !it.Converged {
		it = settledTogether(t, parts, it.Number+1)
	}
	for !it.Converged {
		next := plugins.Iteration{Number: it.Number + 1}
		for _, part := range parts {
			if err := part.pass(); err != nil {
				t.Fatal(err)
			}
			answers, err := part.talk.exchange(plugins.Command{Op: plugins.Apply})
			if err != nil {
				t.Fatal(err)
			}
			own := answers[0].iterations[0]
			next.Active += own.Active
			next.Looked = next.Looked.Plus(own.Looked)
			if next.Change += own.Change; p.Norm == algorithms.LInf {
				next.Change = max(next.Change-own.Change, own.Change)
			}
		}
		if parts[0].plan.Joins {
			it = joined(t, parts, next)
			continue
		}
		parts[0].state.takeShare(parts[1].state, *parts[1].mode.share)
		parts[1].state.takeShare(parts[0].state, *parts[0].mode.share)
		for _, part := range parts {
			var err error
			if it, err = part.restore(next); err != nil {
				t.Fatalf("Restore of %+v: %v", next, err)
			}
		}
	}
	return it
}

// settledTogether is a pass in which each part settles by itself; then they meet: whoever has changed is to send along
// the edges of both.
func settledTogether(t *testing.T, parts []*rig, pass int) (it plugins.Iteration) {
	t.Helper()
	for _, part := range parts {
		if _, err := part.settlePass(plugins.Iteration{}, pass); err != nil {
			t.Fatal(err)
		}
	}
	active := make([]uint64, len(parts[0].state.active()))
	for i, part := range parts {
		for k, word := range part.state.active() {
			active[k] |= word
		}
		for k, c := range part.state.computed() {
			own, other := part.state.column(c), parts[1-i].state.column(parts[1-i].state.computed()[k])
			for v := part.mode.share.Base; v < part.mode.share.End(); v++ {
				if at(own, int(v)) != at(other, int(v)) {
					active[v/64] |= 1 << (v % 64)
				}
			}
		}
	}
	it.Number = pass
	for _, word := range active {
		it.Active += uint64(bits.OnesCount64(word))
	}
	parts[0].state.takeShare(parts[1].state, *parts[1].mode.share)
	parts[1].state.takeShare(parts[0].state, *parts[0].mode.share)
	for _, part := range parts {
		copy(part.state.active(), active)
		if _, err := part.restore(it); err != nil {
			t.Fatalf("Restore of %+v: %v", it, err)
		}
	}
	it.Converged = it.Active == 0
	return it
}

// joined has the second part be told of all that the first has joined, and then both of what the two have.
func joined(t *testing.T, parts []*rig, next plugins.Iteration) (it plugins.Iteration) {
	t.Helper()
	if next.Active != 0 {
		t.Errorf("%d vertices are active, though all edges have been sent", next.Active)
	}
	restore := func(part *rig) {
		clear(part.state.active())
		var err error
		if it, err = part.restore(next); err != nil {
			t.Fatalf("Restore of %+v: %v", next, err)
		}
	}
	parts[1].state.take(parts[0].state)
	restore(parts[1])
	parts[0].state.take(parts[1].state)
	next.Complete = true
	for _, part := range parts {
		restore(part)
	}
	return it
}
