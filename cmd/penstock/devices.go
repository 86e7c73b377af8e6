package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/penstock-db/penstock/host"
)

// printDevices draws what each of several devices did, in the order in which chunks are handed on.
func (a *app) printDevices(r host.Report) {
	if len(r.Devices) == 0 {
		return
	}
	t := newTable(a.Out, "device", "vertices", "given", "handed on to it", "edges", "computing", "peak")
	for _, d := range r.Devices {
		t.AppendRow(table.Row{d.Name, countText(d.Vertices), bytesText(d.Transfer), bytesText(d.Forwarded), countText(d.EdgesProcessed),
			secondsText(d.Computing), bytesText(d.PeakDeviceBytes)})
	}
	t.Render()
	if r.Core != nil {
		return // nothing is handed on
	}
	fmt.Fprintf(a.Out, "read from the store, once for all: %s; handed on: %s%s; state exchanged: %s\n",
		bytesText(r.Bytes.Storage), bytesText(r.Bytes.Forwarded), byPeer(r.Bytes), bytesText(r.Bytes.Exchanged))
}

// byPeer says what of that did not cross the host's link once more.
func byPeer(b host.Bytes) string {
	if b.Peer == 0 {
		return ""
	}
	return fmt.Sprintf(", of it from card to card %s; over the link: %s", bytesText(b.Peer), bytesText(b.Link()))
}
