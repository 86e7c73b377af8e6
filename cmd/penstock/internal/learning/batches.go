package learning

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
)

// batchFlags say how a model learns batch by batch.
type batchFlags struct {
	batch  int
	fanout string
	flags  *pflag.FlagSet
}

func (b *batchFlags) add(cmd *cobra.Command) {
	b.flags = cmd.Flags()
	b.flags.IntVar(&b.batch, "batch", 0,
		"learn from `N` vertices or edges at a time, by their neighborhoods (default: from all at a time)")
	b.flags.StringVar(&b.fanout, "fanout", "",
		"with --batch: how many `neighbors` of a vertex are sampled, hop by hop, as 10,5 or 10,all (default: all)")
}

// read is what the flags say; 0: it learns from all vertices at a time.
func (b *batchFlags) read() (batch int, fanout host.Fanouts, err error) {
	given := b.flags.Changed("batch")
	switch {
	case given && b.batch < 1:
		return 0, nil, cli.UsageError{Err: fmt.Errorf("--batch %d: a batch has 1 vertex or more", b.batch)}
	case b.flags.Changed("fanout") && !given:
		return 0, nil, cli.UsageError{Err: fmt.Errorf("--fanout goes with --batch: say how many vertices a batch has")}
	case b.flags.Changed("fanout"):
		if fanout, err = host.ParseFanouts(b.fanout); err != nil {
			return 0, nil, cli.UsageError{Err: fmt.Errorf("--%w", err)}
		}
	}
	return b.batch, fanout, nil
}

// printBatches says how a model learned batch by batch.
func printBatches(w io.Writer, b *host.TrainBatches) {
	if b == nil {
		return
	}
	with := ""
	if len(b.Fanout) > 0 {
		with = fmt.Sprintf(", fanout %v", b.Fanout)
	}
	to := "the device"
	if n := len(b.Devices); n > 0 {
		to = fmt.Sprintf("%d devices, each a portion", n)
	}
	fmt.Fprintf(w, "in batches of %s%s: %s an epoch, with %s vertices and %s edges; %s brought to %s\n",
		terminal.Count(uint64(b.Size)), with, terminal.Count(uint64(b.Batches)), terminal.Count(b.Vertices),
		terminal.Count(b.Edges), terminal.Bytes(b.Bytes), to)
}

// printPortions says what each of several devices was brought of the batches of an epoch.
func printPortions(w io.Writer, r host.TrainReport) {
	if r.Batches == nil || len(r.Batches.Devices) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := terminal.NewTable(w, "device", "portions", "vertices", "edges", "brought")
	for i, d := range r.Batches.Devices {
		t.AppendRow(table.Row{r.Devices[i].Device, terminal.Count(uint64(d.Batches)), terminal.Count(d.Vertices),
			terminal.Count(d.Edges), terminal.Bytes(d.Bytes)})
	}
	t.Render()
}
