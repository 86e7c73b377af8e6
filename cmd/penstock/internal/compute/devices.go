package compute

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
)

// printDevices draws what each of several devices did, in the order in which chunks are handed on.
func printDevices(w io.Writer, r host.Report) {
	if len(r.Devices) == 0 {
		return
	}
	t := terminal.NewTable(w, "device", "vertices", "given", "handed on to it", "edges", "computing", "peak")
	for _, d := range r.Devices {
		t.AppendRow(table.Row{d.Name, terminal.Count(d.Vertices), terminal.Bytes(d.Transfer), terminal.Bytes(d.Forwarded),
			terminal.Count(d.EdgesProcessed),
			terminal.Seconds(d.Computing), terminal.Bytes(d.PeakDeviceBytes)})
	}
	t.Render()
	if r.Core != nil {
		return // nothing is handed on
	}
	fmt.Fprintf(w, "read from the store, once for all: %s; handed on: %s%s; state exchanged: %s\n",
		terminal.Bytes(r.Bytes.Storage), terminal.Bytes(r.Bytes.Forwarded), byPeer(r.Bytes),
		terminal.Bytes(r.Bytes.Exchanged))
}

// byPeer says what of that did not cross the host's link once more.
func byPeer(b host.Bytes) string {
	if b.Peer == 0 {
		return ""
	}
	return fmt.Sprintf(", of it from card to card %s; over the link: %s", terminal.Bytes(b.Peer), terminal.Bytes(b.Link()))
}
