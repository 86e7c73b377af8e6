package compute

import (
	"fmt"
	"io"

	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
)

// intervals says into how many the state of vertices is cut.
func intervals(count int, vertices uint64) string {
	return fmt.Sprintf("%d intervals of %s vertices, two on a device at a time", count, terminal.Count(vertices))
}

// Values that spread from vertex to vertex take many iterations where less than a share of the edges, as those of road
// maps and meshes, lead to a vertex of the same interval (docs/experiments.md, "Sums that settle").
const (
	many      = 20
	scattered = 0.25
)

// printIntervals says what state took that is cut into intervals, by a run of so many iterations.
func printIntervals(w io.Writer, v *host.IntervalsReport, iterations int) {
	if v == nil {
		return
	}
	fmt.Fprintf(w, "state cut into %s: %s of it moved; %s cells sent with %s of edges, %s skipped without an active source; "+
		"%d chunks cut once, into cells of %s\n"+
		"an iteration with all vertices active sends %s cells with %s of edges, and moves %s of state\n", intervals(v.Count, v.Vertices), terminal.Bytes(v.StateBytes),
		terminal.Count(uint64(v.Sent)), terminal.Bytes(v.EdgeBytes), terminal.Count(uint64(v.Skipped)), v.Cuts,
		terminal.Bytes(v.CellBytes), terminal.Count(v.Whole.Cells), terminal.Bytes(v.Whole.Edges),
		terminal.Bytes(v.Whole.State))
	if v.Settled > 0 {
		own := float64(v.OwnBytes) / float64(max(v.CellBytes, 1))
		fmt.Fprintf(w, "intervals were brought to local convergence %s times, in %s rounds; %.0f%% of the edges lead to a vertex of "+
			"the same interval", terminal.Count(uint64(v.Settled)), terminal.Count(uint64(v.Rounds)), 100*own)
		if own < scattered && iterations > many {
			fmt.Fprint(w, ", so that it takes many iterations: a graph loaded with --order bfs, or rabbit, may need fewer")
		}
		fmt.Fprintln(w)
	}
}
