package plugintest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// mostLanes is how many a test takes, of those that the device has.
const mostLanes = 6

// testLanes runs the programs of the catalog from several vertices at once, and random ones with
// several sets of constants: lane by lane they come to what the interpreter comes to.
func testLanes(t *testing.T, device plugins.Device) {
	most := min(mostLanes, describe(t, device).Lanes)
	if most == 0 {
		t.Skip("the device runs one program at a time")
	}
	for _, a := range programs(describe(t, device)) {
		t.Run(a.Name, func(t *testing.T) {
			r := testseed.Rand(t)
			for range graphs(t) {
				g := randomGraph(r)
				if args, ok := bind(t, r, a, g); ok {
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
		draws := newGenerator(r, describe(t, device))
		for range randomPrograms {
			if g := randomGraph(r); len(g.Out.Neighbors) > 0 {
				testLanesOf(t, r, device, g, draws.program(), 1+r.IntN(most))
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
	m := modes[r.IntN(3)]
	o, err := runWork(t, r, device, g, laneWork(t, g, p, lanes), m)
	if err != nil && plugins.KindOf(err) == plugins.KindUnsupported {
		t.Logf("not for this device: %v", err)
		return
	}
	if err != nil {
		t.Errorf("%s%d lanes, %s: %v", text(p), count, m.name, err)
		return
	}
	for i, lane := range lanes {
		own := p.With(lane...)
		want, _, err := algorithms.RunProgram(g, own)
		if err != nil {
			continue // it diverges, which a host would notice
		}
		if err := differs(g, o.values[i*len(want):(i+1)*len(want)], want, nearly); err != nil {
			t.Errorf("%s%s, lane %d of %d, %+v, %d vertices, %d edges, directed %v: %v",
				text(p), m.name, i, count, lane, g.N(), edgeCount(g), g.Directed, err)
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
		if c.Type == algorithms.VertexID || p.Name == randomName {
			lane = append(lane, c)
		}
	}
	return lane
}

// laneWork is programWork with columns for each lane.
func laneWork(t testing.TB, g *algorithms.Graph, p *algorithms.Program, lanes [][]algorithms.Constant) work {
	t.Helper()
	w := programWork(t, g, p)
	state := slices.Clone(w.results)
	w.results = nil
	for i := range lanes {
		for _, c := range state {
			c.Name = plugins.LaneColumn(c.Name, i)
			w.results = append(w.results, c)
		}
	}
	w.task.Lanes = lanes
	return w
}
