package plugintest

import (
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// testPrograms compares random programs with the interpreter: values and, since all of
// them are synchronous, the number of iterations.
func testPrograms(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	draws := newGenerator(r, describe(t, device))
	for i := range randomPrograms {
		g, p := randomGraph(r), draws.program()
		if len(g.Out.Neighbors) == 0 {
			continue // it has no edge properties, and p may read one
		}
		m := modes[i%len(modes)]
		want, iterations, err := algorithms.RunProgram(g, p)
		if err != nil {
			t.Fatalf("%s: %v", text(p), err)
		}
		got, err := runProgram(t, r, device, g, p, m)
		if plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			t.Logf("not for this device: %v", err)
			continue
		}
		if err == nil {
			err = differs(g, got.values, want, nearly)
		}
		if err == nil && got.last.Number != iterations {
			err = fmt.Errorf("%d iterations; expected %d", got.last.Number, iterations)
		}
		if err != nil {
			t.Errorf("%s\n%s, %d vertices, %d edges, directed %v: %v", text(p), m.name, g.N(), edgeCount(g), g.Directed, err)
		}
	}
}
