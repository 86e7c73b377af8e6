package plugintest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// testMonotone compares random programs whose messages may be applied in any order with the interpreter, which applies
// them in step: bit for bit, in every mode; they end without a result alike.
func testMonotone(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	draws := newGenerator(r, describe(t, device))
	for i := range randomPrograms {
		g := randomGraph(r)
		if len(g.Out.Neighbors) == 0 {
			continue // it has no edge properties, and the program may read one
		}
		p, err := draws.monotone().Build(env(g))
		if err != nil {
			t.Fatal(err)
		}
		if p.Order != algorithms.Monotone {
			t.Fatalf("not monotone: %s", text(p))
		}
		m := modes[i%len(modes)]
		want, _, wantErr := algorithms.RunProgram(g, p)
		got, err := runProgram(t, r, device, g, p, m)
		var diverged *algorithms.DivergedError
		switch {
		case plugins.KindOf(err) == plugins.KindUnsupported && err != nil:
			t.Logf("not for this device: %v", err)
			continue
		case errors.As(wantErr, &diverged) && errors.As(err, &diverged):
			continue
		case wantErr != nil || err != nil:
			err = fmt.Errorf("ended with %w; expected %w", err, wantErr)
		default:
			err = differs(g, got.values, want, sameBits)
		}
		if err != nil {
			t.Errorf("%s\n%s, %d vertices, %d edges, directed %v: %v", text(p), m.name, g.N(), edgeCount(g), g.Directed, err)
		}
	}
}
