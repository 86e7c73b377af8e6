package core

import (
	"errors"
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// Monotone compares random programs whose messages may be applied in any order with the interpreter, which applies
// them in step: bit for bit, in every mode; they end without a result alike.
func Monotone(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	draws := drawn.NewGenerator(r, drive.Describe(t, device))
	for i := range drawn.Programs {
		g := drawn.RandomGraph(r)
		if len(g.Out.Neighbors) == 0 {
			continue // it has no edge properties, and the program may read one
		}
		p, err := draws.Monotone().Build(drawn.Env(g))
		if err != nil {
			t.Fatal(err)
		}
		if p.Order != algorithms.Monotone {
			t.Fatalf("not monotone: %s", drawn.Text(p))
		}
		m := drive.Modes[i%len(drive.Modes)]
		want, _, wantErr := algorithms.RunProgram(g, p)
		got, err := trial.RunProgram(t, r, device, g, p, m)
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
			err = trial.Differs(g, got.Values, want, trial.SameBits)
		}
		if err != nil {
			t.Errorf("%s\n%s, %d vertices, %d edges, directed %v: %v", drawn.Text(p), m.Name, g.N(), drawn.EdgeCount(g), g.Directed, err)
		}
	}
}
