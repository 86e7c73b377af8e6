package main

import (
	"fmt"

	"github.com/penstock-db/penstock/host"
)

// printReasons says why the run went as it did, and what was expected of each iteration.
func (a *app) printReasons(r host.Report) {
	a.printChoice(r.Choice)
	fmt.Fprintf(a.Out, "%s: %s\n", r.Schedule, r.Why)
	a.printUncached(r.Uncached)
	if len(r.PerIteration) == 0 || r.PerIteration[0].Rule == "" {
		return
	}
	t := newTable(a.Out, "iteration", "wanted", "whole", "parts", "kept", "sent", "predicted", "took", "rule")
	for _, it := range r.PerIteration {
		t.AppendRow([]any{it.Number, countText(it.Wanted), it.Whole, it.Parts, max(0, it.Chunks-it.Whole-it.Parts), bytesText(it.Bytes.Transfer),
			secondsText(it.Predicted), secondsText(it.Seconds.Total), it.Rule})
	}
	t.Render()
}

// printChoice says how the device was chosen.
func (a *app) printChoice(c *host.Choice) {
	if c == nil {
		return
	}
	fmt.Fprintf(a.Out, "auto: %s is expected to be the sooner\n", c.Device)
	t := newTable(a.Out, "device", "expected", "launch", "load", "compute", "rounds", "memory", "")
	for _, o := range c.Options {
		if o.Seconds == 0 {
			t.AppendRow([]any{o.Device, "", "", "", "", "", "", o.Refused})
			continue
		}
		t.AppendRow([]any{o.Device, secondsText(o.Seconds), secondsText(o.Launch), secondsText(o.Load), secondsText(o.Compute),
			fmt.Sprintf("%.3g", o.Rounds), bytesText(o.Bytes), o.Refused})
	}
	t.Render()
}

// printUncached says how many chunks were read past the system's cache, and why others were not.
func (a *app) printUncached(u *host.UncachedReport) {
	if u == nil {
		return
	}
	fmt.Fprintf(a.Out, "%d chunks were read past the system's cache, %d through it", u.Chunks, u.Cached)
	if u.Why != "" {
		fmt.Fprintf(a.Out, ": %s", u.Why)
	}
	fmt.Fprintln(a.Out)
}
