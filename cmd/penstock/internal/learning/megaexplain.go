package learning

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

// explained says how training would go.
func (c *megaProgram) explained(ctx context.Context, a *app.App) error {
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		plan, err := instance.ExplainLearning(ctx, db, c.on.graph, c.request)
		if err != nil {
			return err
		}
		if a.JSON {
			return a.PrintJSON(plan)
		}
		printPlan(a.Out, c.name, plan)
		return nil
	})
}

// printPlan says it in tables.
func printPlan(w io.Writer, name string, p *host.LearningPlan) {
	fmt.Fprintf(w, "%s on %s, snapshot %d, %s, kernel %s: nothing has been trained\n\n", name, p.Graph, p.Snapshot, p.Device,
		p.Kernel)
	printSides(w, p)
	fmt.Fprintf(w, "\nan epoch: %s\n", strings.Join(p.Stages, ", "))
	fmt.Fprintf(w, "%s in a MiniBatch; %s an epoch; %s\n", many(p.Batches, "batch", "batches"),
		many(p.Clocks, "clock", "clocks"), howManyEpochs(p))
	fmt.Fprintf(w, "%s\n\n", permitted(p))
	printPlanned(w, p)
	fmt.Fprintf(w, "\npartition %s: %.3g mirrors of a left vertex, %.3g of a right one\n", p.Partition, p.Left.Replication,
		p.Right.Replication)
	exactly := "at most "
	if len(p.Workers) == 1 {
		exactly = ""
	}
	epoch, without := terminal.Bytes(p.EpochBytes), ""
	if in := terminal.Bytes(p.Synchronous); in != epoch {
		without = " (" + in + " without slack)"
	}
	fmt.Fprintf(w, "exchanged: %s%s an epoch%s, %s in all, %s in a clock\n", exactly, epoch, without, terminal.Bytes(p.RunBytes),
		terminal.Bytes(p.ClockBytes))
	fmt.Fprintf(w, "memory: %s of workers; %s on the device with what it reads, of a budget of %s\n",
		terminal.Bytes(p.WorkerMemory), terminal.Bytes(p.DeviceMemory), terminal.Bytes(p.Budget))
	if n := len(p.Processes); n > 0 {
		var each []string
		for _, process := range p.Processes {
			each = append(each, terminal.Bytes(process.Memory))
		}
		fmt.Fprintf(w, "%d processes of %s: %s of their workers, beside rows that all share\n", n,
			many(p.Processes[0].Workers, "worker", "workers"), strings.Join(each, ", "))
	}
	fmt.Fprintf(w, "a checkpoint, with --resume: %s\n", terminal.Bytes(p.Checkpoint))
}

func many(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return terminal.Count(uint64(n)) + " " + more
}

func howManyEpochs(p *host.LearningPlan) string {
	if !p.Ends {
		return many(p.Epochs, "epoch", "epochs")
	}
	return fmt.Sprintf("at most %s, fewer if one will do", many(p.Epochs, "epoch", "epochs"))
}

// permitted says what the slack permits.
func permitted(p *host.LearningPlan) string {
	switch {
	case len(p.Workers) == 1:
		return "1 worker: it sees all that it has changed, and every run has the same bits"
	case p.Slack == nil:
		return "slack inf: nobody waits; a worker may miss any changes that others have not sent yet"
	case *p.Slack == 0:
		return "slack 0: all wait for each other after each clock, see all changes of the clocks before and no others; every run has the same bits"
	}
	text := fmt.Sprintf("slack %d: a worker may be %s ahead of the slowest, and miss what others change in the last %d", *p.Slack,
		many(*p.Slack, "clock", "clocks"), *p.Slack)
	if p.Ends {
		text += fmt.Sprintf("; up to %s may follow the one that will do", many(p.Beyond, "epoch", "epochs"))
	}
	return text
}

// printSides says what vertices there are, and what their rows are.
func printSides(w io.Writer, p *host.LearningPlan) {
	t := terminal.NewTable(w, "side", "type", "vertices", "in partitions", "mirrors", "replication", "of a row travel",
		"master's own", "mirror's own", "values")
	row := func(side string, s host.PlanSide) {
		t.AppendRow(table.Row{side, s.Type, terminal.Count(uint64(s.Vertices)), terminal.Count(uint64(s.Masters)),
			terminal.Count(uint64(s.Mirrors)), fmt.Sprintf("%.3g", s.Replication), s.Shared, s.Master, s.Mirror, s.Value})
	}
	row("left", p.Left)
	row("right", p.Right)
	if c := p.Context; c.Shared > 0 {
		t.AppendRow(table.Row{"context", "", 1, 1, len(p.Workers), len(p.Workers), c.Shared, c.Master, c.Mirror, c.Value})
	}
	t.Render()
}

// printPlanned says what each worker would have and do.
func printPlanned(w io.Writer, p *host.LearningPlan) {
	t := terminal.NewTable(w, "worker", "edges", "left", "masters", "mirrors", "pushes", "pulls", "a clock",
		"memory of edges", "of rows", "of mirrors", "of sync")
	for k, each := range p.Workers {
		m := each.Memory
		t.AppendRow(table.Row{k, terminal.Count(each.Edges), terminal.Count(uint64(each.LeftMirrors)),
			terminal.Count(uint64(each.Masters)), terminal.Count(uint64(each.Mirrors)), terminal.Bytes(each.Epoch.Pushed),
			terminal.Bytes(each.Epoch.Pulled), terminal.Bytes(each.Clock.Pushed + each.Clock.Pulled), terminal.Bytes(m.Edges),
			terminal.Bytes(m.Left + m.Masters), terminal.Bytes(m.Mirrors), terminal.Bytes(m.Sync)})
	}
	t.Render()
}
