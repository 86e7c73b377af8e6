package host

import (
	"testing"

	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// A wave goes through a road map once on several devices as well: they are given what one is, but for headers, though
// each knows what another goes on with only once they meet. That holds where a wave is ragged, as those of widest-path
// and narrowest-path in little room.
func TestChain_WaveOfARoadMap(t *testing.T) {
	t.Parallel()
	const side = 150
	rng := testseed.Rand(t)
	g := roadMap(rng, side, 0, false)
	snap := g.stored(t, 32<<10)
	for _, name := range long.Draw(t, []string{"bfs", "sssp", "widest-path", "narrowest-path"}, 3) {
		req := Request{Algorithm: name, Params: map[string]string{"source": g.users[rng.IntN(len(g.users))]}}
		for _, share := range long.Raced(t, []float64{0.5, 0.25}, 1) {
			within, _ := withRoom(t, snap, req, share)
			within.Device = "cpu"
			one := mustRun(t, snap, within)
			for device, most := range map[string]float64{"cpu,cpu": 1.15, "cpu,cpu,cpu": 1.25} {
				within.Device = device
				got := mustRun(t, snap, within)
				a, b := one.Report, got.Report
				given := b.Bytes.Transfer + b.Bytes.Forwarded
				t.Logf("%s, %g of the edges: one %d bytes in %d iterations; %s %d in %d, state %d", name, share, a.Bytes.Transfer,
					a.Iterations, within.Device, given, b.Iterations, b.Bytes.Exchanged)
				if b.Kernel != nearestFirst || float64(given) > most*float64(a.Bytes.Transfer) || b.Bytes.Exchanged == 0 {
					t.Errorf("%s, %g of the edges, %s: by %s, %d bytes given, one is given %d; state %d", name, share, within.Device,
						b.Kernel, given, a.Bytes.Transfer, b.Bytes.Exchanged)
				}
				for _, d := range b.Devices {
					if d.PeakDeviceBytes > within.DeviceMemory || d.EdgesProcessed == 0 {
						t.Errorf("%s, %g of the edges: %+v of %d bytes", name, share, d, within.DeviceMemory)
					}
				}
				if !same(got.Columns, one.Columns) || !b.Converged {
					t.Errorf("%s, %g of the edges, %s: another result than of one device", name, share, within.Device)
				}
			}
		}
	}
}
