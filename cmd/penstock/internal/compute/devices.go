package compute

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
)

// printDevices draws what each of several devices did.
func printDevices(w io.Writer, r host.Report) {
	if len(r.Devices) == 0 {
		return
	}
	other, bytes := "of others' edges", func(d host.DeviceReport) uint64 { return d.Forwarded }
	if r.Intervals != nil { // and a cell goes to nobody else
		other, bytes = "state", func(d host.DeviceReport) uint64 { return d.StateBytes }
	}
	t := terminal.NewTable(w, "device", "vertices", "given", other, "edges", "computing", "peak")
	for _, d := range r.Devices {
		t.AppendRow(table.Row{d.Name, terminal.Count(d.Vertices), terminal.Bytes(d.Transfer), terminal.Bytes(bytes(d)),
			terminal.Count(d.EdgesProcessed),
			terminal.Seconds(d.Computing), terminal.Bytes(d.PeakDeviceBytes)})
	}
	t.Render()
	if r.Core != nil {
		return // each has a part of the edges of all vertices
	}
	fmt.Fprintf(w, "read from the store, once for all: %s; given to devices: %s, and of others' edges %s; state exchanged: %s\n",
		terminal.Bytes(r.Bytes.Storage), terminal.Bytes(r.Bytes.Transfer), terminal.Bytes(r.Bytes.Forwarded),
		terminal.Bytes(r.Bytes.Exchanged))
}
