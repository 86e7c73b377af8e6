package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/host"
)

func (a *app) estimateCommand() *cobra.Command {
	var request requestFlags
	cmd := &cobra.Command{
		Use:   "estimate ALGORITHM",
		Short: "Say what a run would take, without running it",
		Long: `Say what 'penstock run' with the same flags would take: bytes from disk, shared memory,
device memory and transfer, by the schedule asked for and by each other. A run keeps to them:
bytes read and given to the device are upper bounds, for the whole run where all chunks stay on
the device, else for each iteration.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withDB(penstock.Options{MustExist: true}, func(db *penstock.DB) error {
				asked, err := request.request(args)
				if err != nil {
					return err
				}
				needs, err := db.Estimate(cmd.Context(), request.graph, asked)
				if err != nil {
					return err
				}
				if a.JSON {
					return a.PrintJSON(needs)
				}
				a.printNeeds(needs)
				return nil
			})
		},
	}
	request.add(cmd)
	return cmd
}

// often says how often chunks are read and sent.
func often(n *host.Needs) string {
	if !n.PerIteration {
		return "in all"
	}
	return "each iteration"
}

func (a *app) printNeeds(n *host.Needs) {
	t := newTable(a.Out)
	t.AppendRows([]table.Row{
		{"schedule", n.Schedule}, {"", n.Why}, {"kernel", n.Kernel}, {"chunks", n.Chunks},
		{"read from disk", "at most " + bytesText(n.Disk) + " " + often(n)}, {"given to device", "at most " + bytesText(n.Transfer) + " " + often(n)},
		{"but the first time only", bytesText(n.Stays)}, {"shared memory", bytesText(n.Host)},
	})
	if n.Exchanged > 0 {
		t.AppendRows([]table.Row{
			{"handed on to other devices", "at most " + bytesText(n.Forwarded) + " " + often(n)},
			{"state exchanged", "at most " + bytesText(n.Exchanged) + " each iteration"},
		})
	}
	t.AppendRows([]table.Row{
		{"device memory", bytesText(n.Device)}, {"of a budget of", bytesText(n.Budget)},
		{"needs at least", bytesText(n.Minimum)}, {"resident from", bytesText(n.Resident)},
	})
	t.Render()
	fmt.Fprintln(a.Out)
	if n.Core != nil {
		a.printOptions(n.Core)
		return
	}
	a.printAlternatives(n.Schedules)
}

// printAlternatives draws what the same run takes by each schedule. Bytes are upper bounds.
func (a *app) printAlternatives(all []host.Alternative) {
	t := newTable(a.Out, "by schedule", "disk", "transfer", "", "but once", "host", "device", "at least", "")
	for _, s := range all {
		if s.Refused != "" {
			t.AppendRow(table.Row{s.Name, "", "", "", "", "", "", "", s.Refused})
			continue
		}
		t.AppendRow(table.Row{s.Name, bytesText(s.Disk), bytesText(s.Transfer), often(s.Needs), bytesText(s.Stays), bytesText(s.Host),
			bytesText(s.Device), bytesText(s.Minimum), s.Why})
	}
	t.Render()
}
