package compute

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

// Estimate is penstock estimate.
type Estimate struct{ request requestFlags }

func (c *Estimate) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "estimate ALGORITHM",
		Short: "Say what a run would take, without running it",
		Long: `Say what 'penstock run' with the same flags would take: bytes from disk, shared memory,
device memory and transfer, by the schedule asked for and by each other. A run keeps to them:
bytes read and given to the device are upper bounds, for the whole run where all chunks stay on
the device, else for each iteration. By each schedule it says the least budget that runs
accept: with as much a run starts, if need be with its state cut into intervals; with less it is
refused.`,
		Args: cobra.MaximumNArgs(1),
	}
	c.request.add(cmd)
	return cmd
}

func (c *Estimate) Run(ctx context.Context, a *app.App, args []string) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		request, err := c.request.request(args)
		if err != nil {
			return err
		}
		needs, err := db.On(c.request.graph, c.request.part.Projection()).Estimate(ctx, request)
		if err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(needs)
		}
		printNeeds(a.Out, needs)
		return nil
	})
}

// often says how often chunks are read and sent.
func often(n *host.Needs) string {
	if !n.PerIteration {
		return "in all"
	}
	return "each iteration"
}

func printNeeds(w io.Writer, n *host.Needs) {
	t := terminal.NewTable(w)
	t.AppendRows([]table.Row{
		{"schedule", n.Schedule}, {"", n.Why}, {"kernel", n.Kernel}, {"chunks", n.Chunks},
		{"read from disk", "at most " + terminal.Bytes(n.Disk) + " " + often(n)},
		{"given to device", "at most " + terminal.Bytes(n.Transfer) + " " + often(n)},
		{"but the first time only", terminal.Bytes(n.Stays)}, {"shared memory", terminal.Bytes(n.Host)},
	})
	if n.Sums > 0 {
		t.AppendRow(table.Row{"read before, for sums", terminal.Bytes(n.Sums)})
	}
	if n.Exchanged > 0 {
		t.AppendRows([]table.Row{
			{"given to two devices", "at most " + terminal.Bytes(n.Forwarded) + " " + often(n)},
			{"state exchanged", "at most " + terminal.Bytes(n.Exchanged) + " each iteration"},
		})
	}
	if v := n.Intervals; v != nil {
		t.AppendRows([]table.Row{
			{"state cut into", intervals(v.Count, v.Vertices)},
			{"state moved", "at most " + terminal.Bytes(v.State) + " each iteration, " + terminal.Bytes(v.Expected.State) +
				" if edges led anywhere"},
			{"cells sent", "at most " + terminal.Count(v.Cells) + " each iteration, " + terminal.Count(v.Expected.Cells) +
				" with " + terminal.Bytes(v.Expected.Edges) + " if edges led anywhere"},
			{"scratch files", "at most " + terminal.Bytes(v.Scratch)}, {"state not cut from", terminal.Bytes(v.Whole)},
		})
	}
	t.AppendRows([]table.Row{
		{"device memory", terminal.Bytes(n.Device)}, {"of a budget of", terminal.Bytes(n.Budget)},
		{"needs at least", atLeast(n)}, {"resident from", terminal.Bytes(n.Resident)},
	})
	t.Render()
	fmt.Fprintln(w)
	switch {
	case n.Core != nil:
		printOptions(w, n.Core)
	case n.Schedules != nil:
		printAlternatives(w, n.Schedules)
	}
}

// atLeast says with what a run would start.
func atLeast(n *host.Needs) string {
	if n.Least == 0 {
		return "not known: there may be a smaller core"
	}
	return terminal.Bytes(n.Least)
}

// least says a least budget in bytes, so that it can be given as it is; without one there is no run.
func least(budget uint64) string {
	if budget == 0 {
		return "–"
	}
	return strconv.FormatUint(budget, 10) + "B"
}

// printAlternatives draws what the same run takes by each schedule. Bytes are upper bounds.
func printAlternatives(w io.Writer, all []host.Alternative) {
	t := terminal.NewTable(w, "by schedule", "disk", "transfer", "", "but once", "host", "device", "at least", "")
	for _, s := range all {
		if s.Refused != "" {
			t.AppendRow(table.Row{s.Name, "", "", "", "", "", "", least(s.Least), s.Refused})
			continue
		}
		t.AppendRow(table.Row{s.Name, terminal.Bytes(s.Disk), terminal.Bytes(s.Transfer), often(s.Needs),
			terminal.Bytes(s.Stays), terminal.Bytes(s.Host),
			terminal.Bytes(s.Device), least(s.Least), s.Why})
	}
	t.Render()
}
