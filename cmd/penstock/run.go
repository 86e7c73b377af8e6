package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock"
	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/result"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
)

func (a *app) runCommand() *cobra.Command {
	var request requestFlags
	var out, property string
	var top int
	var accounting bool
	var why bool
	cmd := &cobra.Command{
		Use:   "run ALGORITHM",
		Short: "Compute on a graph in a device plugin",
		Long: `Compute on a graph's current snapshot, in a device plugin's process. The result is shown
(--top), written to a file (--out) or written back as a node property (--write).
'penstock algorithms' lists what there is. Instead of an algorithm give your own vertex
program in CEL: --process, --reduce and --init, and --apply where the default, combining
the old value with what arrives, is not what you want.`,
		Example: `  penstock run --db ./db --graph votes pagerank --top 10
  penstock run --db ./db --graph votes bfs --param source=30 --out depth.csv
  penstock run --db ./db --graph votes bfs --sources 30,7,12 --out depths.csv
  penstock run --db ./db --graph votes pagerank --write rank
  penstock run --db ./db --graph air --process 'src.dist + edge.weight' --reduce min \
      --init 'id == source ? 0.0 : inf' --param source=3`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			to := outputs{file: out, property: property, top: top, accounting: accounting, why: why}
			if err := to.check(cmd); err != nil {
				return err
			}
			if !a.JSON && out == "" && property == "" && !cmd.Flags().Changed("top") {
				to.top = 10
			}
			return a.withDB(penstock.Options{MustExist: true}, func(db *penstock.DB) error {
				return a.run(cmd, db, args, &request, to)
			})
		},
	}
	request.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&out, "out", "", "write one row per vertex to `file` ("+strings.Join(result.Endings(), ", ")+")")
	flags.StringVar(&property, "write", "", "store the result as a node `property`")
	flags.BoolVar(&accounting, "accounting", false, "say of each iteration which share of all edges was useful, would be so later, or never again")
	flags.BoolVar(&why, "explain", false, "say how the device was chosen, why the run was resident or streamed, what each of several devices did, how a dense core was chosen, and for each iteration by which rule its chunks were chosen and the time that was predicted (--json always does)")
	flags.IntVar(&top, "top", 0, "show the `n` largest values, or of ids and truths the first (10 when there is no other output)")
	return cmd
}

// outputs are where a result goes.
type outputs struct {
	file, property string
	top            int
	accounting     bool
	why            bool   // how it was chosen
	snapshot       uint64 // that the property was written to
}

// check refuses what could not be written, before anything is computed.
func (to outputs) check(cmd *cobra.Command) error {
	for flag, value := range map[string]string{"out": to.file, "write": to.property} {
		if value == "" && cmd.Flags().Changed(flag) {
			return cli.UsageError{Err: fmt.Errorf("--%s is empty", flag)}
		}
	}
	if to.top < 0 {
		return cli.UsageError{Err: fmt.Errorf("--top %d: a number of vertices cannot be negative", to.top)}
	}
	if to.file == "" {
		return nil
	}
	if err := result.Check(to.file); err != nil {
		return cli.UsageError{Err: err}
	}
	return nil
}

func (a *app) run(cmd *cobra.Command, db *penstock.DB, args []string, flags *requestFlags, to outputs) error {
	request, err := flags.request(args)
	if err != nil {
		return err
	}
	request.Accounting, request.Property = to.accounting, to.property
	computed, err := a.compute(cmd.Context(), db, flags.graph, request)
	if err != nil {
		return err
	}
	defer computed.Close()
	if to.file != "" {
		if err := computed.WriteFile(cmd.Context(), to.file); err != nil {
			return err
		}
	}
	if to.property != "" {
		written, err := computed.Write(cmd.Context(), to.property)
		if err != nil {
			return err
		}
		to.snapshot = written.ID
	}
	ranked, err := rankings(cmd.Context(), computed, to.top)
	if err != nil {
		return err
	}
	return a.report(computed, ranked, to)
}

// rankings are the largest values of the result, or of that from each source.
func rankings(ctx context.Context, computed *penstock.Result, n int) (all [][]penstock.Ranked, err error) {
	for i := range max(1, len(computed.Report.Sources)) {
		ranked, err := computed.TopOf(ctx, i*computed.PerSource(), n)
		if err != nil {
			return nil, err
		}
		all = append(all, ranked)
	}
	return all, nil
}

// compute runs the request, with a bar, and a timeline if there is to be one.
func (a *app) compute(ctx context.Context, db *penstock.DB, graph string, request host.Request) (_ *penstock.Result, err error) {
	bar := newProgress(a.Err, "run")
	defer bar.done()
	events := runEvents(bar)
	events.Noticed = func(err error) { bar.say("penstock: " + err.Error()) }
	if file := a.Profiles.Timeline(); file != "" {
		t, err := newTimeline(file)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, t.close()) }()
		events.Spanned = t.add
	}
	return db.Run(ctx, graph, request, events)
}

// report tells of the run. The rankings are of the result, or of that from each source.
func (a *app) report(computed *penstock.Result, rankings [][]penstock.Ranked, to outputs) error {
	if a.JSON {
		return a.PrintJSON(struct {
			host.Report
			Figures  map[string]int64             `json:"figures,omitempty"`
			Top      []penstock.Ranked            `json:"top,omitempty"`
			Tops     map[string][]penstock.Ranked `json:"tops,omitempty"` // by source
			File     string                       `json:"file,omitempty"`
			Property string                       `json:"property,omitempty"`
			Written  uint64                       `json:"written_snapshot,omitempty"`
		}{computed.Report, figureMap(computed.Figures()), only(computed, rankings), bySource(computed, rankings), to.file, to.property, to.snapshot})
	}
	for i, ranked := range rankings {
		if len(ranked) > 0 {
			a.printRanked(computed.Columns[i*computed.PerSource()], ranked)
			fmt.Fprintln(a.Out)
		}
	}
	if to.accounting {
		a.printUses(computed.Report.PerIteration)
	}
	a.printReport(computed.Report)
	if to.why || to.accounting {
		a.printDevices(computed.Report)
	}
	if to.why {
		a.printCore(computed.Report.Core)
		a.printReasons(computed.Report)
	}
	for _, figure := range computed.Figures() {
		fmt.Fprintf(a.Out, "%s: %s\n", figure.Name, countText(uint64(figure.Value)))
	}
	if to.file != "" {
		fmt.Fprintf(a.Out, "wrote %s\n", to.file)
	}
	if to.property != "" {
		fmt.Fprintf(a.Out, "wrote property %s, snapshot %d\n", to.property, to.snapshot)
	}
	return nil
}

// only is the ranking of a run that is not from several sources.
func only(computed *penstock.Result, rankings [][]penstock.Ranked) []penstock.Ranked {
	if len(computed.Report.Sources) > 0 {
		return nil
	}
	return rankings[0]
}

func bySource(computed *penstock.Result, rankings [][]penstock.Ranked) map[string][]penstock.Ranked {
	all := map[string][]penstock.Ranked{}
	for i, source := range computed.Report.Sources {
		if len(rankings[i]) > 0 {
			all[source.Source] = rankings[i]
		}
	}
	return all
}

func figureMap(figures []algorithms.Figure) map[string]int64 {
	values := make(map[string]int64, len(figures))
	for _, figure := range figures {
		values[figure.Name] = figure.Value
	}
	return values
}

// printRanked draws a table, with a bar for each value where values are amounts.
func (a *app) printRanked(column algorithms.Values, ranked []penstock.Ranked) {
	amounts := make([]float64, len(ranked))
	for i, r := range ranked {
		amounts[i] = amount(r.Value)
	}
	largest := slices.Max(amounts)
	t := newTable(a.Out, "id", column.Name, "")
	for i, r := range ranked {
		share := 0.0
		if largest > 0 && amounts[i] > 0 {
			share = amounts[i] / largest
		}
		t.AppendRow([]any{r.ID, valueText(r.Value), bar(share)})
	}
	t.Render()
}

func amount(value any) float64 {
	switch v := value.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	}
	return 0
}

func valueText(value any) string {
	if v, ok := value.(float64); ok {
		return fmt.Sprintf("%.6g", v)
	}
	return fmt.Sprint(value)
}

func (a *app) printReport(r host.Report) {
	settled := "stopped at its limit"
	if r.Converged {
		settled = "converged"
	}
	iterations := ""
	if r.Iterations > 0 {
		iterations = fmt.Sprintf(" %d iterations, %s,", r.Iterations, settled)
	}
	if r.ResumedFrom > 0 {
		iterations += fmt.Sprintf(" resumed after iteration %d,", r.ResumedFrom)
	}
	fmt.Fprintf(a.Out, "%s on %s:%s %s in all, %s computing, on %s (%s, peak %s)\n",
		r.Algorithm, r.Graph, iterations, secondsText(r.Seconds.Total), secondsText(r.Seconds.Compute),
		r.Device, r.Schedule, bytesText(r.PeakDeviceBytes))
}

// printUses draws Scaph's figure: the shares of useful, potentially useful and never used data.
func (a *app) printUses(iterations []host.IterationReport) {
	t := newTable(a.Out, "iteration", "useful", "later", "never")
	for _, it := range iterations {
		all := float64(it.Use.Useful + it.Use.Potentially + it.Use.Never)
		percent := func(edges uint64) string { return fmt.Sprintf("%.1f %%", 100*float64(edges)/max(all, 1)) }
		t.AppendRow([]any{it.Number, percent(it.Use.Useful), percent(it.Use.Potentially), percent(it.Use.Never)})
	}
	t.Render()
	fmt.Fprintln(a.Out)
}

func secondsText(s float64) string {
	return time.Duration(s * float64(time.Second)).Round(10 * time.Microsecond).String()
}

// runEvents moves a bar by bytes while uploading and by fraction while computing.
func runEvents(bar *progress) host.Events {
	return host.Events{
		Uploaded: func(bytes, total uint64) { bar.set(int64(bytes), int64(total)) },
		Progress: func(fraction float64) { bar.set(int64(fraction*1000), 1000) },
	}
}
