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

// printIntervals says what state took that is cut into intervals.
func printIntervals(w io.Writer, v *host.IntervalsReport) {
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
		fmt.Fprintf(w, "intervals were brought to local convergence %s times, in %s rounds\n", terminal.Count(uint64(v.Settled)),
			terminal.Count(uint64(v.Rounds)))
	}
}
