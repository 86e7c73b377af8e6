package host

import (
	"context"
	"errors"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/testseed"
)

// grouping are programs of one's own that read the vertex property group, wherever expressions may.
func grouping() map[string]*algorithms.Custom {
	properties := map[string]string{group: ""}
	return map[string]*algorithms.Custom{
		"least": {Process: "src.cost + edge.toll + double((src.group - dst.group) * (src.group - dst.group))",
			Reduce: "min", Init: "double(group * group + id % 5)", Edges: "both", Properties: properties},
		"votes": {Process: "(src.votes * dst.group + src.group) % 7", Reduce: "sum", Init: "group + 1",
			Apply: "(acc + self.group + int(agg.all)) % 1000", Properties: properties,
			Aggregates: map[string]string{"all": "double(self.group * self.votes % 5)"}},
	}
}

// Programs that read vertex properties give what the interpreter gives: by whatever schedule, within whatever budget,
// on one device or two.
func TestRun_ReadsProperties(t *testing.T) {
	for name, custom := range grouping() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := testseed.Rand(t)
			g := random(rng, 300, 3000, rng.IntN(2) == 0, false, false)
			g.grouped = true
			req := Request{Custom: custom, Params: map[string]string{}, Threads: 1 + rng.IntN(3)}
			if custom.Apply != "" {
				req.Params["iterations"] = "4"
			}
			custom.Params = req.Params
			p, err := custom.Build(g.env())
			if err != nil {
				t.Fatal(err)
			}
			want, _, err := algorithms.RunProgram(g.inMemory(), p)
			if err != nil {
				t.Fatal(err)
			}
			snap := g.stored(t, 1<<10+rng.IntN(4096))
			for _, device := range []string{"cpu", "cpu", "cpu,cpu"} {
				req.Device, req.Schedule, req.DeviceMemory = device, "", 0
				needs, err := Estimate(context.Background(), snap, req)
				if err != nil {
					t.Fatal(err)
				}
				for _, schedule := range Schedules {
					req.Schedule, req.DeviceMemory = schedule, needs.Minimum+rng.Uint64N(needs.Resident-needs.Minimum+1)
					got, err := runWithin(snap, &req, Events{})
					var refused *ScheduleError
					if schedule != "auto" && errors.As(err, &refused) {
						continue // it says why
					}
					if err != nil {
						t.Fatalf("%+v: %v", req, err)
					}
					if !same(got.Columns, want) || got.Report.PeakDeviceBytes > req.DeviceMemory {
						t.Errorf("%+v, directed %v: another result than the interpreter's (%s, peak %d)", req, g.directed,
							got.Report.Kernel, got.Report.PeakDeviceBytes)
					}
				}
			}
		})
	}
}
