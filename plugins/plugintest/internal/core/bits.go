package core

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// SameBits: the same chunks, program and threads give the same bits.
func SameBits(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	g := drawn.DenseGraph(r, 1500, 40_000)
	p := trial.Sample(t, r, device, g, 2)
	for _, m := range []drive.Mode{drive.Modes[0], drive.Modes[3]} {
		seed := r.Uint64()
		again := func() (drive.Outcome, error) {
			same := rand.New(rand.NewPCG(seed, 1))
			return trial.RunProgram(t, same, device, g, p, m)
		}
		first, err := again()
		if m.Streamed && plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		next, err := again()
		if err == nil {
			err = trial.Differs(g, next.Values, first.Values, trial.SameBits)
		}
		if err != nil {
			t.Errorf("%s, once more: %v", m.Name, err)
		}
	}
}
