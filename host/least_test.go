package host

import (
	"context"
	"errors"
	"testing"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/catalog"
	"github.com/penstock-db/penstock/internal/long"
	"github.com/penstock-db/penstock/internal/testseed"
)

// What an estimate says is the least budget of a schedule is what a run by it takes: with as much it gives the answer,
// with a byte less it is refused, and the refusal names that budget.
func TestEstimate_LeastIsWhatRunsAccept(t *testing.T) {
	rng := testseed.Rand(t)
	for _, name := range long.Draw(t, []string{"bfs", "sssp", "wcc", "widest-path", "pagerank", "pagerank-delta",
		"triangles", "lcc"}, 2) {
		a, err := catalog.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		vertices := []int{1, 90, 400}[rng.IntN(3)]
		g := random(rng, vertices, vertices*(1+rng.IntN(12)), rng.IntN(2) == 0, false, false)
		for range rng.IntN(2) * vertices { // a hub, whose lists may be longer than a chunk has room for
			g.edges = append(g.edges, algorithms.Edge{Src: 0, Dst: uint32(rng.IntN(vertices)),
				Weights: map[string]float64{"weight": 1, "toll": 1}})
		}
		snap := g.stored(t, 1<<(10+rng.IntN(7)))
		req := Request{Algorithm: name, Threads: 1, Params: map[string]string{}, Synchronous: rng.IntN(3) == 0}
		if len(a.Params) > 0 && a.Params[0].Name == "source" {
			req.Params["source"] = g.users[0]
		}
		needs, err := Estimate(context.Background(), snap, req)
		if err != nil {
			t.Fatal(err)
		}
		if needs.Least != needs.Schedules[0].Least || needs.Schedules[0].Name != "auto" {
			t.Errorf("%s: %d, and %+v", name, needs.Least, needs.Schedules[0])
		}
		for _, each := range needs.Schedules {
			req.Schedule = each.Name
			title := name + " by " + each.Name
			if each.Least == 0 {
				if each.Refused == "" {
					t.Errorf("%s runs, with no least budget", title)
				}
				continue
			}
			req.DeviceMemory = each.Least
			if got, err := Run(context.Background(), snap, req, Events{}); err != nil {
				t.Errorf("%s, %d vertices, %d edges, is refused with its least budget of %d: %v", title, vertices, len(g.edges),
					each.Least, err)
			} else if got.Report.PeakDeviceBytes > each.Least {
				t.Errorf("%s took %d of %d bytes", title, got.Report.PeakDeviceBytes, each.Least)
			}
			if req.DeviceMemory--; req.DeviceMemory == 0 {
				continue
			}
			_, err := Run(context.Background(), snap, req, Events{})
			if need := namedBy(err); need != each.Least {
				t.Errorf("%s, %d vertices, %d edges: with one byte less than %d: %v", title, vertices, len(g.edges), each.Least, err)
			}
		}
	}
}

// namedBy is the budget that a refusal names; 0: it is none, or names none.
func namedBy(err error) uint64 {
	var over *BudgetError
	var schedule *ScheduleError
	switch {
	case errors.As(err, &over) && !over.AtLeast:
		return over.Need
	case errors.As(err, &schedule):
		return schedule.Need
	}
	return 0
}
