package learning

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
	"github.com/penstock-db/penstock/internal/pages"
)

// Train is penstock train.
type Train struct {
	model     modelFlags
	on        deviceFlags
	request   host.TrainRequest
	normalize string
	keeping   keeping
	batches   batchFlags
	part      app.Part
	noHoist   bool
	explain   bool
	plot      string
	svg       string
}

func (c *Train) Describe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "train MODEL",
		Short: "Train a graph neural network on a graph, in a device plugin",
		Long: `Train a model on a graph's current snapshot: what it reads and learns are node properties,
and nothing is exported. MODEL is gcn, g-gcn, gat, sage, sage-max, commnet, gg-nn or mlp
(which looks at no edges: what edges bring is what others do better), or a YAML file with
layers of your own: see docs/gnn.md. Defaults are those of the model's paper.

Features are a number or a list of numbers at every vertex. A label of integers, strings or
truths is one class of several; of lists of these, several labels at once; of numbers with a
fraction, or with --values, values to be predicted. Vertices without one are not learned from.

With --batch it learns from some vertices at a time, by their neighborhoods, of which --fanout
samples; scores are of the whole graph. The device need not hold more than a batch, and several
devices (cpu,cpu) hold a portion of it each: what is learned is the same.

With --edge-label values of edges are learned, as ratings, and with --links where there are
edges. Then the last layer gives vectors of vertices, and the model's output says of two of
them the value, or how probable an edge is. Edges for validation and test pass no messages.
--batch is then of edges, each with its negatives, by the neighborhoods of both ends.
--embedding N learns N numbers of each vertex, in place of features or beside them. For these
there are also the models factors (no layers) and lightgcn.

With --labels, --types and --orientation a --label is learned on a part of the graph, as if there
were nothing else: the papers and their citations, say. predict asks the model about that part.`,
		Example: `  penstock train --db ./db --graph cora gcn --features words --multi-hot 1433 --normalize rows \
      --label class --split split --seed 1 --save topics
  penstock train --db ./db --graph cora gat --features words --label class --split 0.6,0.2,0.2
  penstock train --db ./db --graph cora sage --features words --label class --batch 512 --fanout 10,5
  penstock train --db ./db --graph ratings factors --edge-label rating --embedding 16 --save tastes
  penstock train --db ./db --graph friends gcn --links --embedding 16 --split 0.85,0.05,0.1
  penstock train --db ./db --graph cora model.yaml --features words --label class --split split`,
		Args: cobra.ExactArgs(1),
	}
	c.on.add(cmd)
	c.part.Add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&c.request.Features.Property, "features", "", "node `property` that the model reads")
	flags.IntVar(&c.request.Embedding, "embedding", 0, "learn so many numbers of each vertex, beside features or in place of them")
	flags.IntVar(&c.request.Features.MultiHot, "multi-hot", 0,
		"features list the places of ones in rows of so many numbers")
	flags.StringVar(&c.normalize, "normalize", "", "rows: divide each row of features by its sum")
	flags.StringVar(&c.request.Label, "label", "", "node `property` that is learned")
	flags.StringVar(&c.request.EdgeLabel, "edge-label", "", "edge `property` whose values are learned, as ratings")
	flags.BoolVar(&c.request.Links, "links", false, "learn where there are edges")
	flags.IntVar(&c.request.Negatives, "negatives", 1, "with --links: how many pairs without an edge are drawn for each with one")
	flags.BoolVar(&c.request.Values, "values", false, "integers are values to be predicted, not classes")
	flags.StringVar(&c.request.Split, "split", "",
		"node (or edge) `property` that says train, validation or test, or three shares that are drawn by --seed\n"+
			"(default "+host.NodeSplit+"; of edges "+host.EdgeSplit+")")
	flags.Uint64Var(&c.request.Seed, "seed", 1, "of all that is random: the same seed gives the same model")
	c.batches.add(cmd)
	c.keeping.add(cmd)
	flags.BoolVar(&c.noHoist, "no-hoist", false, "compute at every edge what could be computed once at a vertex; to measure")
	flags.BoolVar(&c.request.Held, "no-fuse", false,
		"store what is computed at edges before it is added up (cpu, everything on the device); to measure")
	flags.BoolVar(&c.request.Whole, "no-filter", false,
		"where the device has no room for the network, bring it rows that no edge reads, too; to measure")
	flags.StringVar(&c.plot, "plot", "", "draw how the loss fell, to an SVG `file`")
	flags.BoolVar(&c.request.Resume, "resume", false,
		"write checkpoints to the database during training, and continue from the last one of a training that failed")
	flags.DurationVar(&c.request.CheckpointEvery, "checkpoint-every", host.DefaultCheckpointEvery,
		"with --resume: least time from one checkpoint to the next")
	app.GoesWith(cmd, "checkpoint-every", "resume")
	flags.BoolVar(&c.explain, "explain", false,
		"say how it would go, and train nothing: how the model is translated, what it takes of the devices, and how it is cut")
	flags.StringVar(&c.svg, "svg", "", "with --explain: draw that to an SVG `file`")
	c.model.add(cmd)
	cmd.MarkFlagsMutuallyExclusive("label", "edge-label", "links")
	cmd.MarkFlagsOneRequired("label", "edge-label", "links")
	cmd.MarkFlagsOneRequired("features", "embedding")
	for _, other := range []string{"save", "plot", "resume"} {
		cmd.MarkFlagsMutuallyExclusive("explain", other)
	}
	app.Offer(cmd, "normalize", "rows")
	return cmd
}

// check refuses what contradicts itself.
func (c *Train) check() error {
	switch {
	case c.request.Negatives < 1 || c.request.Negatives > 1 && !c.request.Links:
		return cli.UsageError{Err: fmt.Errorf("--negatives %d: there is at least one for each link, and --links alone has them",
			c.request.Negatives)}
	case c.normalize != "" && c.normalize != "rows":
		return cli.UsageError{Err: fmt.Errorf("--normalize %s: rows is what can be normalized", c.normalize)}
	case c.request.Features.MultiHot < 0 || c.request.Features.MultiHot > 1<<24:
		return cli.UsageError{Err: fmt.Errorf("--multi-hot %d: rows have 1 to %d numbers", c.request.Features.MultiHot, 1<<24)}
	case c.svg != "" && !c.explain:
		return cli.UsageError{Err: fmt.Errorf("--svg goes with --explain; --plot draws how the loss fell")}
	}
	return c.keeping.check()
}

func (c *Train) Run(ctx context.Context, a *app.App, args []string) error {
	if err := c.check(); err != nil {
		return err
	}
	model, err := c.model.model(args[0])
	if err != nil {
		return err
	}
	request := c.request
	if !request.Links {
		request.Negatives = 0
	}
	request.Model, request.Plain = model, c.noHoist
	request.Features.Normalize = c.normalize == "rows"
	request.On = c.on.on()
	if request.Batch, request.Fanout, err = c.batches.read(); err != nil {
		return err
	}
	pages.BoundHeap()
	return a.WithDB(instance.Options{MustExist: true}, func(db *instance.DB) error {
		if c.explain {
			return c.explained(ctx, a, db, request)
		}
		learned, err := db.Models().Keep(c.keeping.save, c.keeping.replace, func() (*host.Trained, error) {
			return learn(ctx, a, db.On(c.on.graph, c.part.Projection()), request)
		})
		if err != nil {
			return err
		}
		if c.plot != "" {
			err := cli.WriteFile(c.plot, func(w io.Writer) error {
				return writePlot(w, learned.Model.Architecture.Name+" on "+c.on.graph, learned.Report.Epochs)
			})
			if err != nil {
				return err
			}
		}
		if a.JSON {
			return a.PrintJSON(summary(learned, c.keeping.save))
		}
		printTrained(a.Out, learned)
		c.keeping.tell(a.Out)
		if c.plot != "" {
			fmt.Fprintf(a.Out, "wrote %s\n", c.plot)
		}
		return nil
	})
}

func (d *deviceFlags) on() host.On {
	return host.On{Device: d.device, DeviceMemory: uint64(d.memory), DeviceCPUTime: d.time, Threads: d.thread,
		Timeout: d.timeout, Unconfined: d.unconfined}
}

// learn trains, with a bar.
func learn(ctx context.Context, a *app.App, from instance.Subject, request host.TrainRequest) (*host.Trained, error) {
	bar := terminal.StartProgress(a.Err, "train")
	defer bar.Done()
	return from.Train(ctx, request, host.TrainEvents{Trained: func(e host.TrainingEpoch) {
		bar.Set(int64(e.Number), int64(request.Model.Training.Epochs))
	}, Noticed: func(err error) { bar.Say("penstock: " + err.Error()) }})
}

// summary is what --json says of a model that has learned.
func summary(t *host.Trained, saved string) any {
	by := func(score func(part string) *float64) map[string]float64 {
		all := map[string]float64{}
		for part := range t.Model.Scores {
			if x := score(part); x != nil {
				all[part] = *x
			}
		}
		return all
	}
	return struct {
		Model    string             `json:"model"`
		Saved    string             `json:"saved,omitempty"`
		Epochs   int                `json:"epochs"`
		Best     int                `json:"best_epoch"`
		Accuracy map[string]float64 `json:"accuracy,omitempty"`
		F1       map[string]float64 `json:"f1,omitempty"`
		RMSE     map[string]float64 `json:"rmse,omitempty"`
		MAE      map[string]float64 `json:"mae,omitempty"`
		AUC      map[string]float64 `json:"auc,omitempty"`
		AP       map[string]float64 `json:"average_precision,omitempty"`
		Topics   map[string]float64 `json:"perplexity,omitempty"`
		Places   map[string]float64 `json:"percentile,omitempty"`
		Recall   map[string]float64 `json:"recall_at_10,omitempty"`
		Classes  []string           `json:"classes,omitempty"`
		Numbers  int                `json:"parameters"`
		Seed     uint64             `json:"seed"`
		host.TrainReport
	}{
		Model: t.Model.Architecture.Name, Saved: saved, Epochs: t.Model.Epochs, Best: t.Model.Best,
		Accuracy: by(func(part string) *float64 { return t.Model.Scores[part].Accuracy }),
		F1:       by(func(part string) *float64 { return t.Model.Scores[part].F1 }),
		RMSE:     by(func(part string) *float64 { return t.Model.Scores[part].RMSE }),
		MAE:      by(func(part string) *float64 { return t.Model.Scores[part].MAE }),
		AUC:      by(func(part string) *float64 { return t.Model.Scores[part].AUC }),
		AP:       by(func(part string) *float64 { return t.Model.Scores[part].Precision }),
		Topics:   by(func(part string) *float64 { return t.Model.Scores[part].Perplexity }),
		Places:   by(func(part string) *float64 { return t.Model.Scores[part].Percentile }),
		Recall:   by(func(part string) *float64 { return t.Model.Scores[part].Recall }),
		Classes:  t.Model.Classes, Numbers: t.Model.Count(), Seed: t.Model.Seed, TrainReport: t.Report,
	}
}

// printTrained draws how the loss fell, and the scores.
func printTrained(w io.Writer, t *host.Trained) {
	if len(t.Report.Epochs) > 0 {
		printCurve(w, t.Report.Epochs)
	}
	printScores(w, t.Model)
	m, r := t.Model, t.Report
	printBaseline(w, r)
	fmt.Fprintf(w, "\n%s on %s, %s: %d epochs", m.Architecture.Name, r.Graph, r.Device, m.Epochs)
	if m.Best != m.Epochs {
		fmt.Fprintf(w, ", the best of which is %d", m.Best)
	}
	if r.Resumed > 0 {
		fmt.Fprintf(w, ", resumed after %d", r.Resumed)
	}
	fmt.Fprintf(w, ", %s parameters\n", terminal.Count(uint64(m.Count())))
	fmt.Fprintf(w, "%s in all, %s an epoch; at most %s on the device\n", terminal.Seconds(r.Seconds.Total),
		terminal.Seconds(r.Seconds.Epoch), terminal.Bytes(r.Peak))
	printHalves(w, r.Halves)
	printBatches(w, r.Batches)
	if l := r.Learner; l != nil {
		if l.Objective != nil {
			fmt.Fprintf(w, "objective %.8g, %s weights that are not 0\n", *l.Objective, terminal.Count(uint64(*l.NonZero)))
			printConvergence(w, l)
		}
		printWorkers(w, r)
	}
	if n := len(r.Devices); n > 0 {
		fmt.Fprintf(w, "%d devices: %s went from one to another, of rows and sums\n", n, terminal.Bytes(r.Bytes.Exchanged))
	}
	printPieces(w, r.Pieces)
	printShares(w, r.Devices)
	printPortions(w, r)
}

// printPieces says how a network is cut that does not fit its devices, if it is.
func printPieces(w io.Writer, p *host.TrainPieces) {
	if p != nil {
		fmt.Fprintf(w, "piece by piece: %d intervals of vertices, %d cells of edges; %s come and go in an epoch, from files of "+
			"%s\n", p.Intervals, p.Cells, terminal.Bytes(p.Epoch), terminal.Bytes(p.Files))
	}
}

// printConvergence says how far a regression is from the best.
func printConvergence(w io.Writer, l *host.LearnerReport) {
	how := "not converged"
	if *l.Converged {
		how = "converged"
	}
	fmt.Fprintf(w, "%s: %s\n", how, l.Distance())
}

// printWorkers says how workers of a MEGA program did, if there was more than one.
func printWorkers(w io.Writer, r host.TrainReport) {
	workers := r.Learner.Workers
	if len(workers) < 2 {
		return
	}
	slack, waited, ahead := "any", 0.0, uint64(0)
	if r.Learner.Slack != nil {
		slack = fmt.Sprint(*r.Learner.Slack)
	}
	for _, each := range workers {
		waited, ahead = waited+each.Waited, max(ahead, each.Ahead)
	}
	fmt.Fprintf(w, "%d workers%s, slack %s: %s clocks, at most %d ahead; %s waiting, each\n",
		len(workers), divided(len(r.Learner.Processes)), slack, terminal.Count(workers[0].Clocks), ahead,
		terminal.Seconds(waited/float64(len(workers))))
	fmt.Fprintf(w, "partition %s: %.3g mirrors of a left vertex, %.3g of a right one; %s exchanged, %s a clock\n",
		r.Learner.Partition, r.Learner.LeftReplication, r.Learner.Replication, terminal.Bytes(r.Bytes.Exchanged),
		terminal.Bytes(uint64(r.Learner.ClockBytes)))
	printSimulated(w, r.Learner.Simulated)
}

// divided says that several processes divided the workers.
func divided(processes int) string {
	if processes < 2 {
		return ""
	}
	return fmt.Sprintf(" in %d processes", processes)
}

// printSimulated says what workers pretended to run on, if anything.
func printSimulated(w io.Writer, c *host.ClusterReport) {
	if c == nil {
		return
	}
	var what []string
	if c.Straggler > 1 {
		what = append(what, fmt.Sprintf("one worker of each clock %g times as slow", c.Straggler))
	}
	if c.Bandwidth > 0 {
		what = append(what, "links of "+host.Bandwidth{Of: &c.Bandwidth}.String())
	}
	if c.LinkLatency > 0 {
		what = append(what, "a latency of "+terminal.Seconds(c.LinkLatency))
	}
	fmt.Fprintf(w, "simulated, by sleeping: %s\n", strings.Join(what, ", "))
}

// printShares says what each of several devices has had.
func printShares(w io.Writer, shares []host.TrainShare) {
	if len(shares) == 0 {
		return
	}
	fmt.Fprintln(w)
	t := terminal.NewTable(w, "device", "intervals", "vertices", "edges", "given", "from others", "sums passed on", "peak")
	for _, d := range shares {
		t.AppendRow(table.Row{d.Device, d.Intervals, terminal.Count(d.Vertices), terminal.Count(d.Edges),
			terminal.Bytes(d.Transfer), terminal.Bytes(d.Pulled), terminal.Bytes(d.Reduced), terminal.Bytes(d.Peak)})
	}
	t.Render()
}

// curveLines is how many epochs a curve shows.
const curveLines = 10

// printCurve draws the loss of some epochs, and how the validation set does.
func printCurve(w io.Writer, epochs []host.TrainingEpoch) {
	most := 0.0
	for _, e := range epochs {
		most = max(most, e.Loss)
	}
	t := terminal.NewTable(w, "epoch", "loss", "", "validation")
	for i := range min(curveLines, len(epochs)) {
		at := 0
		if len(epochs) > 1 {
			at = i * (len(epochs) - 1) / (min(curveLines, len(epochs)) - 1)
		}
		e := epochs[at]
		t.AppendRow(table.Row{e.Number, fmt.Sprintf("%.4g", e.Loss), terminal.Bar(e.Loss / max(most, 1e-300)), score(e.Validation)})
	}
	t.Render()
	fmt.Fprintln(w)
}
