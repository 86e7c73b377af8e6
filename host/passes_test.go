package host

import (
	"context"
	"errors"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
)

// inPasses are the procedures that the cpu device computes in passes.
var inPasses = []string{"k-core"}

// In half, a quarter and a sixteenth of the memory that the chunks take, procedures come to the same result, within the
// budget; and with the least that will do.
func TestRun_ProceduresInPasses(t *testing.T) {
	for _, name := range inPasses {
		a, err := algorithms.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := seeded(t)
			for _, directed := range []bool{false, true} {
				g := random(rng, 500+rng.IntN(500), 60_000, directed, false, false)
				checkPasses(t, g, a, Request{Algorithm: name, Threads: 1 + rng.IntN(3)}, 1<<10+rng.IntN(60<<10))
				sparse := random(rng, 2000, 6000, directed, false, false)
				checkPasses(t, sparse, a, Request{Algorithm: name, Threads: 1 + rng.IntN(3)}, 100<<10)
			}
		})
	}
}

// checkPasses runs a procedure with all chunks and in passes, and compares both with its oracle.
func checkPasses(t *testing.T, g *sample, a *algorithms.Algorithm, req Request, chunkBytes int) {
	t.Helper()
	snap := g.stored(t, chunkBytes)
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	args, err := a.Bind(req.Params, g.env())
	if err != nil {
		t.Fatal(err)
	}
	chunks := needs.Resident - needs.State
	for _, schedule := range []string{"auto", "subway"} {
		for _, share := range []uint64{2, 4, 16, chunks} {
			req.Schedule, req.DeviceMemory = schedule, max(needs.Minimum, needs.Minimum/2+chunks/share)
			if req.DeviceMemory >= needs.Resident {
				continue
			}
			var planned Needs
			got, err := Run(context.Background(), snap, req, Events{Planned: func(n Needs) { planned = n }})
			if err != nil {
				t.Fatalf("%+v: %v", req, err)
			}
			if err := a.Verify(g.inMemory(), args, got.Columns); err != nil {
				t.Errorf("%+v, %d vertices, directed %v: %v", req, len(g.users), g.directed, err)
			}
			want, err := a.Oracle(g.inMemory(), args)
			if err != nil || !near(got.Columns, want) {
				t.Errorf("%+v, %d vertices, directed %v: another result than the oracle's, %v", req, len(g.users), g.directed, err)
			}
			r := got.Report
			if r.PeakDeviceBytes > req.DeviceMemory || planned.Device > req.DeviceMemory || r.Iterations == 0 ||
				r.Bytes.Transfer == 0 || !planned.PerIteration {
				t.Errorf("%+v: peak %d, %+v; planned %+v", req, r.PeakDeviceBytes, r.Bytes, planned)
			}
			checkBounds(t, req, r, planned)
		}
	}
}

// What a device cannot do is said before the run: by Estimate and by Run, and nothing has started.
func TestRun_ProcedureNeedsAllChunks(t *testing.T) {
	snap := random(seeded(t), 300, 9000, true, false, false).stored(t, 4<<10)
	for _, name := range []string{"betweenness"} {
		req := Request{Algorithm: name}
		needs, err := Estimate(context.Background(), snap, req)
		if err != nil {
			t.Fatal(err)
		}
		req.DeviceMemory = needs.Resident - 1
		started := false
		_, estimated := Estimate(context.Background(), snap, req)
		_, err = Run(context.Background(), snap, req, Events{Planned: func(Needs) { started = true }})
		var over *BudgetError
		if !errors.As(err, &over) || over.Need != needs.Resident || started || !errors.As(estimated, &over) {
			t.Errorf("%s: error %v, estimated %v", name, err, estimated)
		}
	}
}
