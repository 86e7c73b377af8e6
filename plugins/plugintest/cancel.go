package plugintest

import (
	"context"
	"math"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
)

// testCancel: when its context ends Execute returns, with KindCanceled or the context's
// error, whatever it is doing.
func testCancel(t *testing.T, device plugins.Device) {
	t.Run("idle", func(t *testing.T) {
		rig, cancel := endless(t, device)
		cancel()
		rig.talk.canceled()
	})
	t.Run("iterating", func(t *testing.T) {
		if len(describe(t, device).Programs) > 0 {
			t.Skip("the programs that the device lists have an end")
		}
		rig, cancel := endless(t, device)
		if err := rig.uploadAll(); err != nil {
			t.Fatal(err)
		}
		if _, err := rig.init(); err != nil {
			t.Fatal(err)
		}
		rig.talk.seq++
		rig.talk.commands <- plugins.Command{Seq: rig.talk.seq, Op: plugins.Iterate}
		if e, err := rig.talk.receive(); err != nil || e.Done {
			t.Fatalf("the first event of an endless command: %+v, %v", e, err)
		}
		cancel()
		rig.talk.canceled()
	})
}

// endless has a session that would iterate for years.
func endless(t *testing.T, device plugins.Device) (*rig, context.CancelFunc) {
	t.Helper()
	r := testseed.Rand(t)
	g := denseGraph(r, 200, 1000)
	p := sample(t, r, device, g, math.MaxInt32)
	rig, err := newRig(t, r, device, g, programWork(t, g, p), modes[1])
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	rig.begin(ctx)
	return rig, cancel
}
