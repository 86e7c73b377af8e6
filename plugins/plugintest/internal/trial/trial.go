package trial

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// Run drives some work to its end. An error is the device's.
func Run(t testing.TB, r *rand.Rand, device plugins.Device, g *algorithms.Graph, w drive.Work,
	m drive.Mode) (drive.Outcome, error) {
	t.Helper()
	rig, err := drive.Open(t, r, device, g, w, m)
	if err != nil {
		return drive.Outcome{}, err
	}
	defer rig.Close()
	return rig.Run()
}

// RunProgram runs p to its end; that it has none is a DivergedError, as a host makes of it.
func RunProgram(t testing.TB, r *rand.Rand, device plugins.Device, g *algorithms.Graph, p *algorithms.Program,
	m drive.Mode) (drive.Outcome, error) {
	t.Helper()
	o, err := Run(t, r, device, g, drive.ProgramWork(t, g, p), m)
	if err == nil {
		err = p.Divergence(o.Values[0], o.Last.Number, Settled(p, g, o.Last))
	}
	return o, err
}

// RunAlgorithm runs a to its end, and has of it what a user gets.
func RunAlgorithm(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, args algorithms.Args,
	g *algorithms.Graph, m drive.Mode) ([]algorithms.Values, error) {
	t.Helper()
	if a.Procedure != nil {
		o, err := Run(t, r, device, g, drive.ProcedureWork(a, args), m)
		if o.Last.Cycle != nil {
			err = &algorithms.DivergedError{Program: a.Name, Meaning: a.Procedure.Diverged}
		}
		return o.Values, err
	}
	p, err := a.Program(args)
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	o, err := RunProgram(t, r, device, g, p, m)
	if err != nil {
		return nil, err
	}
	return a.ResultOf(o.Values), nil
}

// Algorithm runs a on g in the given modes, with the same arguments.
func Algorithm(t *testing.T, r *rand.Rand, device plugins.Device, a *algorithms.Algorithm, g *algorithms.Graph,
	modes ...drive.Mode) {
	t.Helper()
	args, ok := drawn.Bind(t, r, a, g)
	if !ok {
		return
	}
	want, wantErr := a.Oracle(g, args)
	for _, m := range modes {
		if (m.Streamed || m.Settled) && !m.Passes && a.Procedure != nil {
			continue
		}
		got, err := RunAlgorithm(t, r, device, a, args, g, m)
		if (m.Streamed || m.Settled) && plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			t.Logf("the device does not do it, %s: %v", m.Name, err)
			continue
		}
		if mayLack(a, args) && plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			t.Logf("the device does not do it with these arguments: %v", err)
			continue
		}
		if m.Budget > 0 && plugins.KindOf(err) == plugins.KindBudget {
			t.Logf("the device has too little memory for %d vertices, %s: %v", g.N(), m.Name, err)
			continue
		}
		if err := Judge(a, g, args, got, err, want, wantErr); err != nil {
			t.Errorf("%s, %s, %d vertices, %d edges, directed %v, %+v: %v",
				a.Name, m.Name, g.N(), drawn.EdgeCount(g), g.Directed, args, err)
		}
	}
}

// EveryProgram tests the programs of the catalog on random graphs, so that their state can be
// restored, in the modes that are wanted.
func EveryProgram(t *testing.T, device plugins.Device, wanted func(drive.Mode) bool,
	test func(*testing.T, *rand.Rand, plugins.Device, *algorithms.Algorithm, *algorithms.Graph, drive.Mode)) {
	for _, a := range long.Raced(t, Programs(drive.Describe(t, device)), 8) {
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			for range drawn.Graphs(t) {
				g := drawn.RandomGraph(r)
				for _, m := range drive.Modes {
					if wanted(m) {
						m.Restorable = true
						test(t, r, device, a, g, m)
					}
				}
			}
		})
	}
}
