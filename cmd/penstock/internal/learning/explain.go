package learning

import (
	"context"
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
)

// explained says how training would go.
func (c *Train) explained(ctx context.Context, a *app.App, db *instance.DB, request host.TrainRequest) error {
	plan, err := db.On(c.on.graph, c.part.Projection()).PlanTraining(ctx, request)
	if err != nil {
		return err
	}
	if c.svg != "" {
		title := plan.Model + " on " + c.on.graph
		if err := cli.WriteFile(c.svg, func(w io.Writer) error { return plan.Schedule.Picture(w, title) }); err != nil {
			return err
		}
	}
	if a.JSON {
		return a.PrintJSON(plan)
	}
	printTrainPlan(a.Out, plan)
	if c.svg != "" {
		fmt.Fprintf(a.Out, "wrote %s\n", c.svg)
	}
	return nil
}

// printTrainPlan says it in lines and tables.
func printTrainPlan(w io.Writer, p *host.TrainPlan) {
	fmt.Fprintln(w, p.Schedule)
	fmt.Fprintf(w, "%s on %s, snapshot %d, %s, kernel %s: nothing has been trained\n", p.Model, p.Graph, p.Snapshot,
		p.Device, p.Kernel)
	fmt.Fprintf(w, "%d epochs at the most, %s parameters; %s to learn from, %s for validation, %s for test\n", p.Epochs,
		terminal.Count(uint64(p.Parameters)), terminal.Count(uint64(p.Split["train"])),
		terminal.Count(uint64(p.Split["validation"])), terminal.Count(uint64(p.Split["test"])))
	if b := p.Batches; b != nil {
		fmt.Fprintf(w, "in batches of %s, fanout %v: %s an epoch, of which a device has at most %s vertices and %s edges\n",
			terminal.Count(uint64(b.Size)), b.Fanout, terminal.Count(uint64(b.Batches)), terminal.Count(b.Vertices),
			terminal.Count(b.Edges))
	}
	printPieces(w, p.Pieces)
	for _, room := range p.Rooms {
		fmt.Fprintf(w, "%s: %s on the device, of a budget of %s\n", room.Device, terminal.Bytes(room.Need),
			terminal.Bytes(room.Budget))
	}
	if len(p.Devices) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := terminal.NewTable(w, "device", "intervals", "vertices", "edges")
	for _, d := range p.Devices {
		t.AppendRow(table.Row{d.Device, d.Intervals, terminal.Count(d.Vertices), terminal.Count(d.Edges)})
	}
	t.Render()
}
