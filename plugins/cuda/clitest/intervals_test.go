package clitest

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// intervalled is what a report says of a run whose state is cut into intervals.
type intervalled struct {
	Iterations int
	Peak       uint64 `json:"peak_device_bytes"`
	Bytes      struct{ Transfer uint64 }
	Intervals  *struct {
		Count, Vertices uint64
		Sent            uint64 `json:"cells_sent"`
		State           uint64 `json:"state_bytes"`
		Copied          uint64 `json:"copied_bytes"`
		Edges           uint64 `json:"edge_bytes"`
	}
}

// The state of vertices need not fit the card. It never holds more than it may, and what is copied to it is an interval
// of destinations once a column, and of a cell's sources what messages are made of.
func TestResults_StateInIntervals(t *testing.T) {
	h := newHome(t)
	h.penstock("generate", "large", "--scale", "13", "--edge-factor", "4", "--weights", "--order", "none")
	for _, c := range []struct {
		computation
		vertex, sent uint64 // bytes of a vertex, and of those what messages are made of
	}{{bfs, 16, 8}, {sssp, 16, 8}, {wcc, 16, 8}, {pagerank, 48, 16}, {pagerankDelta, 40, 24}, {ownPaths, 16, 8},
		{ownSums, 40, 16}} {
		t.Run(c.name, func(t *testing.T) {
			h := h.of(t)
			want := h.expect(c.computation, "large")
			state := h.estimate("state", slices.Concat([]string{"--graph", "large"}, c.arguments)...)
			memory := state / 3
			out := h.penstock(h.run("cuda", c.computation, "large", "--json", "--device-memory", fmt.Sprintf("%dB", memory))...)
			if err := differs(h.rows("cuda.csv"), want, c.exact); err != nil {
				t.Errorf("%d of %d bytes: %v", memory, state, err)
			}
			var report intervalled
			if err := json.Unmarshal([]byte(out), &report); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			v := report.Intervals
			if v == nil || v.Count < 3 || report.Peak > memory || report.Peak == 0 || v.Edges != report.Bytes.Transfer {
				t.Fatalf("%d of %d bytes: %s", memory, state, out)
			}
			set := v.Vertices / 4 // of sources and destinations
			most := uint64(report.Iterations+1)*v.Count*(v.Vertices*c.vertex+set) + v.Sent*(v.Vertices*c.sent+set)
			if v.Copied == 0 || v.Copied > most {
				t.Errorf("%d bytes of state are copied, expected at most %d: %+v", v.Copied, most, *v)
			}
		})
	}
}
