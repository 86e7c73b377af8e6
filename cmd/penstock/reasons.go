package main

import (
	"fmt"

	"github.com/penstock-db/penstock/host"
)

// printReasons says why the run went as it did, and what was expected of each iteration.
func (a *app) printReasons(r host.Report) {
	fmt.Fprintf(a.stdout, "%s: %s\n", r.Schedule, r.Why)
	if len(r.PerIteration) == 0 || r.PerIteration[0].Rule == "" {
		return
	}
	t := newTable(a.stdout, "iteration", "wanted", "whole", "parts", "kept", "sent", "predicted", "took", "rule")
	for _, it := range r.PerIteration {
		t.AppendRow([]any{it.Number, countText(it.Wanted), it.Whole, it.Parts, max(0, it.Chunks-it.Whole-it.Parts), bytesText(it.Bytes.Transfer),
			secondsText(it.Predicted), secondsText(it.Seconds.Total), it.Rule})
	}
	t.Render()
}
