package host

import (
	"testing"

	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// Two devices that settle are given little more than one that does: each iterates along its own edges, and they meet
// while these are there. In step, or if they met after all lists had passed, they would be given half as much again and
// more.
func TestChain_SettlesAsOneDevice(t *testing.T) {
	t.Parallel()
	for _, name := range long.Draw(t, []string{"sssp", "widest-path"}, 1) {
		rng := testseed.Rand(t)
		g := random(rng, 2500, 60_000, true, false, false)
		snap := g.stored(t, 64<<10)
		req := Request{Algorithm: name, Params: map[string]string{"source": g.users[0]}, Threads: 1}
		needs, err := leastResident(snap, req)
		if err != nil {
			t.Fatal(err)
		}
		req.DeviceMemory = (needs.Minimum + 2*needs.Resident) / 3
		for _, schedule := range []string{"subway", "auto"} {
			req.Schedule, req.Device, req.Synchronous = schedule, "cpu", false
			one := mustRun(t, snap, req)
			req.Device = "cpu,cpu"
			two := mustRun(t, snap, req)
			req.Synchronous = true
			step := mustRun(t, snap, req)
			if !same(two.Columns, one.Columns) || !same(step.Columns, one.Columns) {
				t.Errorf("%s, %s: another result than of one device", name, schedule)
			}
			a, b, c := one.Report, two.Report, step.Report
			given := float64(b.Bytes.Transfer + b.Bytes.Forwarded)
			most := 1.15 * float64(a.Bytes.Transfer)
			if schedule == "auto" { // which goes by what it measures
				most = 1.25 * float64(a.Bytes.Transfer)
			}
			t.Logf("%s, %s: one %d bytes, %d iterations; two %.0f, %d, state %d; in step %d, %d, state %d", name, schedule,
				a.Bytes.Transfer, a.Iterations, given, b.Iterations, b.Bytes.Exchanged, c.Bytes.Transfer, c.Iterations,
				c.Bytes.Exchanged)
			if given > most || b.Bytes.Exchanged == 0 || b.Iterations > c.Iterations+2 {
				t.Errorf("%s, %s: two devices are given %.0f bytes in %d iterations, expected at most %.0f; in step %d iterations",
					name, schedule, given, b.Iterations, most, c.Iterations)
			}
		}
	}
}
