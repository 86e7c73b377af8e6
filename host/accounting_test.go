package host

import (
	"context"
	"errors"
	"testing"

	"github.com/penstock-db/penstock/internal/testseed"
)

// Every edge is of one use or another in every iteration; what the first of a search finds
// useful is the list of its source; and who cannot be told of learns why.
func TestRun_AccountsForEveryEdge(t *testing.T) {
	rng := testseed.Rand(t)
	g := random(rng, 500, 8000, true, false, false)
	snap := g.stored(t, 4096)
	source := rng.IntN(len(g.users))
	req := Request{Algorithm: "reachability", Params: map[string]string{"source": g.users[source]}, Accounting: true}
	var refusal *RequestError
	if _, err := Run(context.Background(), snap, req, Events{}); !errors.As(err, &refusal) {
		t.Errorf("of a run that sends everything once: error %v", err)
	}
	req.Accounting = false
	needs, err := Estimate(context.Background(), snap, req)
	if err != nil {
		t.Fatal(err)
	}
	req.Accounting, req.DeviceMemory = true, (needs.Resident+needs.Minimum)/2
	var degree uint64
	for _, e := range g.edges {
		if e.Src == uint32(source) {
			degree++
		}
	}
	for _, req.Schedule = range []string{"subway", "scaph"} {
		for _, req.Synchronous = range []bool{false, req.Schedule == "subway"} {
			report := mustRun(t, snap, req).Report
			if first := report.PerIteration[0].Use.Useful; first != degree {
				t.Errorf("%s: %d edges are useful to begin with, the source has %d", report.Schedule, first, degree)
			}
			for _, it := range report.PerIteration {
				var all uint64
				for _, u := range it.Use.Chunks {
					all += u.Useful + u.Potentially + u.Never
				}
				if u := it.Use; all != uint64(len(g.edges)) || u.Useful+u.Potentially+u.Never != all {
					t.Errorf("%s, iteration %d: %+v of %d edges, %d in chunks", report.Schedule, it.Number, u.Use, len(g.edges), all)
				}
			}
		}
	}
	req = Request{Algorithm: "pagerank", Schedule: "whole", Accounting: true}
	if _, err := Run(context.Background(), snap, req, Events{}); !errors.As(err, &refusal) {
		t.Errorf("of a run that looks at no lists: error %v", err)
	}
}
