package refusals

import (
	"context"
	"math"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drawn"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/drive"
	"github.com/penstock-db/penstock/plugins/plugintest/internal/trial"
)

// Cancel: when its context ends Execute returns, with KindCanceled or the context's
// error, whatever it is doing.
func Cancel(t *testing.T, device plugins.Device) {
	t.Run("idle", func(t *testing.T) {
		rig, cancel := endless(t, device)
		cancel()
		rig.Talk.Canceled()
	})
	t.Run("iterating", func(t *testing.T) {
		if len(drive.Describe(t, device).Programs) > 0 {
			t.Skip("the programs that the device lists have an end")
		}
		rig, cancel := endless(t, device)
		if err := rig.UploadAll(); err != nil {
			t.Fatal(err)
		}
		if _, err := rig.Init(); err != nil {
			t.Fatal(err)
		}
		rig.Talk.Seq++
		rig.Talk.Commands <- plugins.Command{Seq: rig.Talk.Seq, Op: plugins.Iterate}
		if e, err := rig.Talk.Receive(); err != nil || e.Done {
			t.Fatalf("the first event of an endless command: %+v, %v", e, err)
		}
		cancel()
		rig.Talk.Canceled()
	})
}

// endless has a session that would iterate for years.
func endless(t *testing.T, device plugins.Device) (*drive.Rig, context.CancelFunc) {
	t.Helper()
	r := testseed.Rand(t)
	g := drawn.DenseGraph(r, 200, 1000)
	p := trial.Sample(t, r, device, g, math.MaxInt32)
	rig, err := drive.Open(t, r, device, g, drive.ProgramWork(t, g, p), drive.Modes[1])
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	rig.Begin(ctx)
	return rig, cancel
}
