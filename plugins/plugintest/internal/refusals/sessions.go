package refusals

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

// Sessions runs several sessions of one device at once, and one that is never used.
func Sessions(t *testing.T, device plugins.Device) {
	idle := sampleRig(t, device)
	t.Run("at once", func(t *testing.T) {
		for i := range 4 {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				testSession(t, device, drive.Modes[i%3])
			})
		}
	})
	idle.Talk.Finish()
}

func testSession(t *testing.T, device plugins.Device, m drive.Mode) {
	r := testseed.Rand(t)
	for range 3 {
		g := drawn.RandomGraph(r)
		p := trial.Sample(t, r, device, g, 3)
		want, _, err := algorithms.RunProgram(g, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := trial.RunProgram(t, r, device, g, p, m)
		if err == nil {
			err = trial.Differs(g, got.Values, want, trial.Nearly)
		}
		if err != nil {
			t.Error(err)
		}
	}
}
