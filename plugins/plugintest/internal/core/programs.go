package core

import (
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// Programs compares random programs with the interpreter: values and, since all of
// them are synchronous, the number of iterations.
func Programs(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	draws := drawn.NewGenerator(r, drive.Describe(t, device))
	for i := range drawn.Programs {
		g, p := drawn.RandomGraph(r), draws.Program()
		if len(g.Out.Neighbors) == 0 {
			continue // it has no edge properties, and p may read one
		}
		m := drive.Modes[i%len(drive.Modes)]
		want, iterations, err := algorithms.RunProgram(g, p)
		if err != nil {
			t.Fatalf("%s: %v", drawn.Text(p), err)
		}
		got, err := trial.RunProgram(t, r, device, g, p, m)
		if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			t.Logf("not for this device: %v", err)
			continue
		}
		if err == nil {
			err = trial.Differs(g, got.Values, want, trial.Nearly)
		}
		if err == nil && got.Last.Number != iterations {
			err = fmt.Errorf("%d iterations; expected %d", got.Last.Number, iterations)
		}
		if err != nil {
			t.Errorf("%s\n%s, %d vertices, %d edges, directed %v: %v", drawn.Text(p), m.Name, g.N(), drawn.EdgeCount(g), g.Directed, err)
		}
	}
}
