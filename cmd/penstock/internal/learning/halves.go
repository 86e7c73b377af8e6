package learning

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
)

// printHalves says what each of two devices has done, and of each stage where its rows went, what they took on either
// device, and for how long both were at work.
func printHalves(w io.Writer, h *host.TrainHalves) {
	if h == nil {
		return
	}
	fmt.Fprintf(w, "%s computed %d products of intervals in %s, %s %d in %s; both at once for %s\n", h.Devices[0],
		h.Products[0], terminal.Seconds(h.Seconds[0]), h.Devices[1], h.Products[1], terminal.Seconds(h.Seconds[1]),
		terminal.Seconds(h.Overlap))
	fmt.Fprintf(w, "%d intervals of vertices; edges are for %s, rows for the device on which a stage takes less\n\n",
		h.Intervals, h.Devices[0])
	t := terminal.NewTable(w, "pass", "stage", "edges", "rows", "products", "rows on", h.Devices[0]+" ms",
		h.Devices[1]+" ms", "busy "+h.Devices[0], "busy "+h.Devices[1], "both")
	for _, s := range h.Stages {
		t.AppendRow(stageRow(s))
	}
	t.Render()
}

func stageRow(s host.TrainHalf) table.Row {
	pass := []string{"learn", "say"}[min(s.Pass, 1)]
	if s.Once {
		pass += ", once"
	}
	least := func(device int) string {
		if s.Runs[device] == 0 {
			return "–"
		}
		return fmt.Sprintf("%.3g", s.Least[device])
	}
	return table.Row{pass, s.Stage, s.Edges, s.Rows, s.Products, s.RowsOn, least(0), least(1),
		terminal.Seconds(s.Seconds[0]), terminal.Seconds(s.Seconds[1]), terminal.Seconds(s.Overlap)}
}
