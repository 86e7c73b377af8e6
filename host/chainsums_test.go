package host

import (
	"strings"
	"testing"

	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Sums settle on several devices, which are given little more than one that settles, far less than in step, and keep to
// their tolerance: what a vertex releases it sends along its owner's edges at once, and along those of others once they
// have been told.
func TestChain_SettlesSums(t *testing.T) {
	long.Unraced(t)
	t.Parallel()
	rng := testseed.Rand(t)
	g := random(rng, 1500, 60_000, rng.IntN(2) == 0, false, false)
	snap := g.stored(t, 64<<10)
	a, err := catalog.Lookup("pagerank-delta")
	if err != nil {
		t.Fatal(err)
	}
	req := Request{Algorithm: a.Name, Params: map[string]string{}, Threads: 1}
	args, err := a.Bind(req.Params, g.env())
	if err != nil {
		t.Fatal(err)
	}
	needs, err := leastResident(snap, req)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range long.Draw(t, []uint64{2, 4}, 1) {
		req.DeviceMemory = needs.Minimum + (needs.Resident-needs.Minimum)/share
		for _, req.Schedule = range long.Draw(t, []string{"subway", "auto"}, 1) {
			req.Device, req.Synchronous = "cpu", false
			one := mustRun(t, snap, req).Report
			for _, req.Device = range long.Draw(t, []string{"cpu,cpu", "cpu,cpu,cpu"}, 1) {
				others := strings.Count(req.Device, ",")
				req.Synchronous = true
				step := mustRun(t, snap, req).Report
				req.Synchronous = false
				got := mustRun(t, snap, req)
				if err := a.Verify(g.inMemory(), args, got.Columns); err != nil {
					t.Errorf("%+v: %v", req, err)
				}
				chunks := 0
				for _, it := range got.Report.PerIteration {
					chunks += it.Chunks
				}
				given := got.Report.Bytes.Transfer + got.Report.Bytes.Forwarded
				most := 1.15*float64(one.Bytes.Transfer) + float64(700*others*chunks) // which have a header and lists of their own
				t.Logf("1/%d, %s, %s: one %d bytes, %d iterations; in step %d, %d; settling %d, %d, state %d", share, req.Schedule,
					req.Device, one.Bytes.Transfer, one.Iterations, step.Bytes.Transfer, step.Iterations, given,
					got.Report.Iterations, got.Report.Bytes.Exchanged)
				if float64(given) > most || 10*given > 9*step.Bytes.Transfer || got.Report.Bytes.Exchanged == 0 {
					t.Errorf("%s, %s: %d bytes are given; one device %d, in step %d", req.Schedule, req.Device, given,
						one.Bytes.Transfer, step.Bytes.Transfer)
				}
			}
		}
	}
}
