package plugintest

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

func runWork(t testing.TB, r *rand.Rand, device plugins.Device, g *algorithms.Graph, w work, m mode) (outcome, error) {
	t.Helper()
	rig, err := newRig(t, r, device, g, w, m)
	if err != nil {
		return outcome{}, err
	}
	defer rig.close()
	return rig.run()
}

// runProgram runs p to its end; that it has none is a DivergedError, as a host makes of it.
func runProgram(t testing.TB, r *rand.Rand, device plugins.Device, g *algorithms.Graph, p *algorithms.Program,
	m mode) (outcome, error) {
	t.Helper()
	o, err := runWork(t, r, device, g, programWork(t, g, p), m)
	if err == nil {
		err = p.Divergence(o.values[0], o.last.Number, settled(p, g, o.last))
	}
	return o, err
}

func runAlgorithm(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, args algorithms.Args,
	g *algorithms.Graph, m mode) ([]algorithms.Values, error) {
	t.Helper()
	if a.Procedure != nil {
		o, err := runWork(t, r, device, g, procedureWork(a, args), m)
		if o.last.Cycle != nil {
			err = &algorithms.DivergedError{Program: a.Name, Meaning: a.Procedure.Diverged}
		}
		return o.values, err
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	o, err := runProgram(t, r, device, g, p, m)
	if err != nil {
		return nil, err
	}
	return a.ResultOf(o.values), nil
}

// testAlgorithm runs a on g in the given modes, with the same arguments.
func testAlgorithm(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, g *algorithms.Graph,
	modes ...mode) {
	t.Helper()
	args, ok := bind(t, r, a, g)
	if !ok {
		return
	}
	want, wantErr := a.Oracle(g, args)
	for _, m := range modes {
		if (m.streamed || m.settled) && !m.passes && a.Procedure != nil {
			continue
		}
		got, err := runAlgorithm(t, r, device, a, args, g, m)
		if (m.streamed || m.settled) && plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			t.Logf("the device does not do it, %s: %v", m.name, err)
			continue
		}
		if mayLack(a, args) && plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			t.Logf("the device does not do it with these arguments: %v", err)
			continue
		}
		if m.budget > 0 && plugins.KindOf(err) == plugins.KindBudget {
			t.Logf("the device has too little memory for %d vertices, %s: %v", g.N(), m.name, err)
			continue
		}
		if err := judge(a, g, args, got, err, want, wantErr); err != nil {
			t.Errorf("%s, %s, %d vertices, %d edges, directed %v, %+v: %v",
				a.Name, m.name, g.N(), edgeCount(g), g.Directed, args, err)
		}
	}
}

// everyProgram tests the programs of the catalog on random graphs, so that their state can be
// restored, in the modes that are wanted.
func everyProgram(t *testing.T, device plugins.Device, wanted func(mode) bool,
	test func(*testing.T, *rand.Rand, plugins.Device, *algorithms.Algorithm, *algorithms.Graph, mode)) {
	for _, a := range long.Raced(t, programs(describe(t, device)), 8) {
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			for range graphs(t) {
				g := randomGraph(r)
				for _, m := range modes {
					if wanted(m) {
						m.restorable = true
						test(t, r, device, a, g, m)
					}
				}
			}
		})
	}
}
