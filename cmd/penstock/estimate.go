package main

import (
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
device memory and transfer. A run keeps to them; one that streams reads its chunks again
in each iteration, but for those that it needs no more and those that stay on the device.`,
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
				if a.json {
					return a.printJSON(needs)
				}
				a.printNeeds(needs)
				return nil
			})
		},
	}
	request.add(cmd)
	return cmd
}

// often says how often chunks are read and copied.
func often(n *host.Needs) string {
	if n.Schedule == "resident" {
		return ""
	}
	return ", at most, in each iteration"
}

func (a *app) printNeeds(n *host.Needs) {
	t := newTable(a.stdout)
	t.AppendRows([]table.Row{
		{"schedule", n.Schedule}, {"kernel", n.Kernel}, {"chunks", n.Chunks},
		{"read from disk", bytesText(n.Disk) + often(n)}, {"shared memory", bytesText(n.Host)},
		{"device memory", bytesText(n.Device)}, {"of a budget of", bytesText(n.Budget)},
		{"resident from", bytesText(n.Resident)}, {"copied to device", bytesText(n.Transfer) + often(n)},
	})
	t.Render()
}
