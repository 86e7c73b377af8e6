package compute

import (
	"fmt"
	"io"

	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
)

// printReasons says why the run went as it did, and what was expected of each iteration.
func printReasons(w io.Writer, r host.Report) {
	printChoice(w, r.Choice)
	fmt.Fprintf(w, "%s: %s\n", r.Schedule, r.Why)
	printIntervals(w, r.Intervals, r.Iterations)
	printStorage(w, r)
	printUncached(w, r.Uncached)
	if r.ProgramPieces > 0 {
		fmt.Fprintf(w, "memory is scarce: the program's code is read in %d pieces, where it is touched\n", r.ProgramPieces)
	}
	if len(r.PerIteration) == 0 || r.PerIteration[0].Rule == "" {
		return
	}
	t := terminal.NewTable(w, "iteration", "wanted", "whole", "parts", "kept", "to be sent", "sent", "predicted", "took",
		"rule")
	for _, it := range r.PerIteration {
		t.AppendRow([]any{it.Number, terminal.Count(it.Wanted), it.Whole, it.Parts, max(0, it.Chunks-it.Whole-it.Parts),
			terminal.Bytes(it.PredictedBytes), terminal.Bytes(it.Bytes.Transfer),
			terminal.Seconds(it.Predicted), terminal.Seconds(it.Seconds.Total), it.Rule + queued(it.Queue)})
	}
	t.Render()
	printRegret(w, r)
}

// printRegret says what other schedules would have taken.
func printRegret(w io.Writer, r host.Report) {
	if r.Regret == nil {
		return
	}
	fmt.Fprintln(w,
		"simulated, each schedule on this run's active sets (its own would have differed), by this run's measurements:")
	t := terminal.NewTable(w, "schedule", "sent", "predicted")
	for _, c := range r.Simulated {
		t.AppendRow([]any{c.Schedule, terminal.Bytes(c.Bytes), terminal.Seconds(c.Seconds)})
	}
	t.Render()
	fmt.Fprintf(w, "regret of %s: %.2f times the bytes of %s, %.2f times the predicted time of %s\n", r.Schedule,
		r.Regret.Bytes, r.Regret.Fewest, r.Regret.Seconds, r.Regret.Soonest)
}

// queued says what a queue of chunks of high value did in an iteration.
func queued(q *host.QueueReport) string {
	if q == nil {
		return ""
	}
	return "; " + queue(*q)
}

// queue says what a queue has done: how often what was wanted was there, what staying has brought, and how full tiles
// were.
func queue(q host.QueueReport) string {
	text := fmt.Sprintf("of %d wanted %d stayed, %d rounds with %d turns of chunks", q.High+q.Low, q.Hits, q.Rounds,
		q.Turns)
	if q.Useful > 0 {
		text += fmt.Sprintf(" and %.2f edges for each that was useful", float64(q.Processed)/float64(q.Useful))
	}
	text += fmt.Sprintf(", %d tiles, %.0f %% empty", q.Tiles, 100*q.Fragmentation())
	if all := q.Placed + q.Unplaced; all > 0 {
		text += fmt.Sprintf(", %d of %d chunks placed on their NUMA node", q.Placed, all)
	}
	return text
}

// printChoice says how the device was chosen.
func printChoice(w io.Writer, c *host.Choice) {
	if c == nil {
		return
	}
	fmt.Fprintf(w, "auto: %s is expected to be the sooner\n", c.Device)
	t := terminal.NewTable(w, "device", "expected", "launch", "load", "compute", "rounds", "memory", "")
	for _, o := range c.Options {
		if o.Seconds == 0 {
			t.AppendRow([]any{o.Device, "", "", "", "", "", "", o.Refused})
			continue
		}
		t.AppendRow([]any{o.Device, terminal.Seconds(o.Seconds), terminal.Seconds(o.Launch), terminal.Seconds(o.Load),
			terminal.Seconds(o.Compute),
			fmt.Sprintf("%.3g", o.Rounds), terminal.Bytes(o.Bytes), o.Refused})
	}
	t.Render()
}

// printStorage says what was read and cut for the run, and what of it came from the disk.
func printStorage(w io.Writer, r host.Report) {
	fmt.Fprintf(w, "read from the store: %s", terminal.Bytes(r.Bytes.Storage))
	if r.Bytes.Cut > 0 {
		fmt.Fprintf(w, "; cut out of that: %s", terminal.Bytes(r.Bytes.Cut))
	}
	if r.DiskBytes != nil {
		fmt.Fprintf(w, "; from the disk, for whatever it was: %s", terminal.Bytes(*r.DiskBytes))
	}
	fmt.Fprintln(w)
}

// printUncached says how many chunks were read past the system's cache, and why others were not; and how many were
// read whole, and why their pages were not.
func printUncached(w io.Writer, u *host.UncachedReport) {
	if u == nil {
		return
	}
	fmt.Fprintf(w, "%d chunks were read past the system's cache, %d through it", u.Chunks, u.Cached)
	if u.Why != "" {
		fmt.Fprintf(w, ": %s", u.Why)
	}
	if u.Whole > 0 {
		fmt.Fprintf(w, "; %d whole, though some pages would have done: %s", u.Whole, u.WhyWhole)
	}
	fmt.Fprintln(w)
	if u.Copies != nil {
		printCopies(w, *u.Copies)
	}
}

// printCopies says what packed copies were read and made, and why no others.
func printCopies(w io.Writer, c host.CopiesReport) {
	fmt.Fprintf(w, "%d of these reads were of packed copies: %d copies take %s for %s", c.Reads, c.Copies,
		terminal.Bytes(c.Bytes), terminal.Bytes(c.ChunkBytes))
	if c.Cramped > 0 {
		fmt.Fprintf(w, "; %d more had no room to unpack one", c.Cramped)
	}
	if c.Lost > 0 {
		fmt.Fprintf(w, "; %d copies were lost", c.Lost)
	}
	if c.Why != "" {
		fmt.Fprintf(w, "; no more were made: %s", c.Why)
	}
	fmt.Fprintln(w)
}
