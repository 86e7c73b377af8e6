package plugintest

import (
	"fmt"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// testSessions runs several sessions of one device at once, and one that is never used.
func testSessions(t *testing.T, device plugins.Device) {
	idle := sampleRig(t, device)
	t.Run("at once", func(t *testing.T) {
		for i := range 4 {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				testSession(t, device, modes[i%3])
			})
		}
	})
	idle.talk.finish()
}

func testSession(t *testing.T, device plugins.Device, m mode) {
	r := testseed.Rand(t)
	for range 3 {
		g := randomGraph(r)
		p := sample(t, r, device, g, 3)
		want, _, err := algorithms.RunProgram(g, p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := runProgram(t, r, device, g, p, m)
		if err == nil {
			err = differs(g, got.values, want, nearly)
		}
		if err != nil {
			t.Error(err)
		}
	}
}
