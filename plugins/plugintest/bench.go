package plugintest

import (
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
)

// Bench measures whole runs of a device on a skewed graph of 2^14 vertices and 2^18 edges,
// without the time it takes to make chunks and to open and compile.
func Bench(b *testing.B, open func(b *testing.B) plugins.Device) {
	device := open(b)
	r := testseed.Rand(b)
	g := drawn.DenseGraph(r, 1<<14, 1<<18)
	user := fmt.Sprint(g.IDs[0])
	for _, name := range []string{"pagerank", "bfs", "sssp", "wcc"} {
		b.Run(name, func(b *testing.B) {
			a, err := catalog.Lookup(name)
			if err != nil {
				b.Fatal(err)
			}
			p := benchProgram(b, a, g, user)
			edges := uint64(0)
			for range b.N {
				b.StopTimer()
				rig, err := drive.Open(b, r, device, g, drive.ProgramWork(b, g, p), drive.Modes[0])
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if _, err := rig.Run(); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				edges += rig.Talk.Edges
				rig.Close()
			}
			b.ReportMetric(float64(edges)/b.Elapsed().Seconds(), "edges/s")
		})
	}
}

// benchProgram is a with defaults, and as few iterations as a may be told to do.
func benchProgram(b *testing.B, a *algorithms.Algorithm, g *algorithms.Graph, source string) *algorithms.Program {
	params := map[string]string{}
	for _, p := range a.Params {
		switch {
		case p.Name == "iterations" && a.Name == "pagerank":
			params[p.Name] = "8"
		case p.Type == algorithms.ParamVertex:
			params[p.Name] = source
		}
	}
	args, err := a.Bind(params, algorithms.Env{
		Directed:    g.Directed,
		MostIn:      func() (int64, error) { return g.MostIn(), nil },
		EdgeColumns: g.EdgeColumns(),
		Vertex:      func(string) (int64, error) { return g.IDs[0], nil },
	})
	if err != nil {
		b.Fatal(err)
	}
	p, err := a.Program(args)
	if err != nil {
		b.Fatal(err)
	}
	return p
}
