package extensions

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// mostLanes is how many a test takes, of those that the device has.
const mostLanes = 6

// Lanes runs the programs of the catalog from several vertices at once, and random ones with
// several sets of constants: lane by lane they come to what the interpreter comes to.
func Lanes(t *testing.T, device plugins.Device) {
	most := min(mostLanes, drive.Describe(t, device).Lanes)
	if most == 0 {
		t.Skip("the device runs one program at a time")
	}
	for _, a := range trial.Programs(drive.Describe(t, device)) {
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			for range drawn.Graphs(t) {
				g := drawn.RandomGraph(r)
				if args, ok := drawn.Bind(t, r, a, g); ok {
					p, err := a.Program(args)
					if err != nil {
						t.Fatal(err)
					}
					testLanesOf(t, r, device, g, p, 1+r.IntN(most))
				}
			}
		})
	}
	t.Run("random programs", func(t *testing.T) {
		r := testseed.Rand(t)
		draws := drawn.NewGenerator(r, drive.Describe(t, device))
		for range drawn.Programs {
			if g := drawn.RandomGraph(r); len(g.Out.Neighbors) > 0 {
				testLanesOf(t, r, device, g, draws.Program(), 1+r.IntN(most))
			}
		}
	})
}

func testLanesOf(t *testing.T, r *rand.Rand, device plugins.Device, g *algorithms.Graph, p *algorithms.Program,
	count int) {
	t.Helper()
	if p.Norm != algorithms.NoNorm && !p.Exactly {
		return // a lane may go on while others are not near enough
	}
	var lanes [][]algorithms.Constant
	for range count {
		lanes = append(lanes, otherConstants(r, g, p))
	}
	m := drive.Modes[r.IntN(3)]
	o, err := trial.Run(t, r, device, g, laneWork(t, g, p, lanes), m)
	if err != nil && plugins.KindOf(err) == plugins.KindUnsupported {
		t.Logf("not for this device: %v", err)
		return
	}
	if err != nil {
		t.Errorf("%s%d lanes, %s: %v", drawn.Text(p), count, m.Name, err)
		return
	}
	for i, lane := range lanes {
		own := p.With(lane...)
		want, _, err := algorithms.RunProgram(g, own)
		if err != nil {
			continue // it diverges, which a host would notice
		}
		if err := trial.Differs(g, o.Values[i*len(want):(i+1)*len(want)], want, trial.Nearly); err != nil {
			t.Errorf("%s%s, lane %d of %d, %+v, %d vertices, %d edges, directed %v: %v",
				drawn.Text(p), m.Name, i, count, lane, g.N(), drawn.EdgeCount(g), g.Directed, err)
		}
	}
}

// otherConstants gives some of p's constants other values, and names one that p has not.
func otherConstants(r *rand.Rand, g *algorithms.Graph, p *algorithms.Program) []algorithms.Constant {
	lane := []algorithms.Constant{{Name: "stranger", Type: algorithms.Int, Int: 1}}
	for _, c := range p.Constants {
		switch c.Type {
		case algorithms.VertexID:
			c.Int = g.IDs[r.IntN(g.N())]
		case algorithms.Bool:
			c.Int = int64(r.IntN(2))
		case algorithms.Int:
			c.Int = int64(r.IntN(12))
		case algorithms.Float:
			c.Float = float64(r.IntN(9)) / 4
		}
		if c.Type == algorithms.VertexID || p.Name == drawn.RandomName {
			lane = append(lane, c)
		}
	}
	return lane
}

// laneWork is drive.ProgramWork with columns for each lane.
func laneWork(t testing.TB, g *algorithms.Graph, p *algorithms.Program, lanes [][]algorithms.Constant) drive.Work {
	t.Helper()
	w := drive.ProgramWork(t, g, p)
	state := slices.Clone(w.Results)
	w.Results = nil
	for i := range lanes {
		for _, c := range state {
			c.Name = plugins.LaneColumn(c.Name, i)
			w.Results = append(w.Results, c)
		}
	}
	w.Task.Lanes = lanes
	return w
}
