package host

import (
	"errors"
	"testing"

	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/regret"
	"github.com/penstock-db/penstock/internal/testseed"
)

// A schedule that is simulated on its own trace sends what it has really sent, but for headers, of which each shipment
// has one of at most 2 KiB; and the regret is over a schedule that was simulated. auto keeps a chunk for good by what
// it has sent of it, headers included, so that it may keep some an iteration before its simulation does.
func TestRun_SimulatesWhatItSends(t *testing.T) {
	long.Unraced(t)
	const header = 2 << 10
	snap := random(testseed.Rand(t), 4000, 120_000, true, false, true).stored(t, 64<<10)
	for _, algorithm := range []string{"bfs", "sssp", "widest-path"} {
		for _, name := range []string{"subway", "auto"} {
			req := Request{Algorithm: algorithm, Params: map[string]string{"source": vertexOf(t, snap)}, Schedule: name,
				Synchronous: true}
			needs, err := leastResident(snap, req)
			if err != nil {
				t.Fatal(err)
			}
			req.DeviceMemory = needs.State + (needs.Resident-needs.State)/2
			r := mustRun(t, snap, req).Report
			var sent, shipments uint64
			for _, it := range r.PerIteration {
				sent, shipments = sent+it.Bytes.Transfer, shipments+uint64(it.Whole+it.Parts)
			}
			costs := map[string]uint64{}
			for _, c := range r.Simulated {
				costs[c.Schedule] = c.Bytes
			}
			slack := header * shipments
			if name == "auto" {
				slack += sent / 8
			}
			if got := costs[name]; got > sent || sent-got > slack || sent == 0 {
				t.Errorf("%s by %s: %d bytes were sent in %d shipments, simulated are %d", algorithm, name, sent, shipments, got)
			}
			if r.Regret == nil || costs[r.Regret.Fewest] == 0 || r.Regret.Bytes < 1 || r.Regret.Seconds < 1 {
				t.Errorf("%s by %s: regret %+v of %v", algorithm, name, r.Regret, r.Simulated)
			}
			var unknown *regret.UnknownError
			if _, err := regret.Of("scaph", r.Simulated); !errors.As(err, &unknown) {
				t.Errorf("%s by %s: scaph needs local convergence, and was simulated: %v", algorithm, name, err)
			}
		}
	}
}
