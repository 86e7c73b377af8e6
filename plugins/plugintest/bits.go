package plugintest

import (
	"math/rand/v2"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// testSameBits: the same chunks, program and threads give the same bits.
func testSameBits(t *testing.T, device plugins.Device) {
	r := testseed.Rand(t)
	g := denseGraph(r, 1500, 40_000)
	p := sample(t, r, device, g, 2)
	for _, m := range []mode{modes[0], modes[3]} {
		seed := r.Uint64()
		again := func() (outcome, error) {
			same := rand.New(rand.NewPCG(seed, 1))
			return runProgram(t, same, device, g, p, m)
		}
		first, err := again()
		if m.streamed && plugins.KindOf(err) == plugins.KindUnsupported && err != nil {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		next, err := again()
		if err == nil {
			err = differs(g, next.values, first.values, sameBits)
		}
		if err != nil {
			t.Errorf("%s, once more: %v", m.name, err)
		}
	}
}
