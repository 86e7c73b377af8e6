package compute

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/cmd/penstock/internal/terminal"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/instance"
)

// report tells of the run.
func (d delivered) report(a *app.App) error {
	if a.JSON {
		var part *instance.Part
		if of := d.Part(); !of.All() {
			part = &of
		}
		return a.PrintJSON(struct {
			host.Report
			Part     *instance.Part               `json:"part,omitempty"` // of the graph, that it was computed on
			Figures  map[string]int64             `json:"figures,omitempty"`
			Measures map[string]float64           `json:"measures,omitempty"`
			Top      []instance.Ranked            `json:"top,omitempty"`
			Rows     []map[string]any             `json:"rows,omitempty"` // the first of a table
			Tops     map[string][]instance.Ranked `json:"tops,omitempty"` // by source
			File     string                       `json:"file,omitempty"`
			Property string                       `json:"property,omitempty"`
			Written  uint64                       `json:"written_snapshot,omitempty"`
		}{d.Report, part, Figures(d.Result), measures(d.Result), d.only(), d.firstRows(), d.bySource(), d.file,
			d.property, d.snapshot})
	}
	d.print(a.Out)
	return nil
}

func (d delivered) print(w io.Writer) {
	for i, ranked := range d.rankings {
		switch {
		case len(ranked) == 0:
		case d.Shape == algorithms.OfRows:
			printRows(w, d.Columns, ranked)
			fmt.Fprintln(w)
		default:
			PrintRanked(w, d.Columns[i*d.PerSource()], ranked)
			fmt.Fprintln(w)
		}
	}
	if d.accounting {
		printUses(w, d.Report.PerIteration)
	}
	shown := d.Report
	shown.Graph = d.Title()
	printReport(w, shown)
	if took := d.Part().Seconds; took > 0 {
		fmt.Fprintf(w, "the part was stored in %s\n", terminal.Seconds(took))
	}
	if d.why || d.accounting {
		printDevices(w, d.Report)
	}
	if d.why {
		printCore(w, d.Report.Core)
		printReasons(w, d.Report)
	}
	for _, figure := range d.Figures() {
		fmt.Fprintf(w, "%s: %s\n", figure.Name, terminal.Count(uint64(figure.Value)))
	}
	for _, measure := range d.Measures() {
		fmt.Fprintf(w, "%s: %.6f\n", measure.Name, measure.Value)
	}
	if d.file != "" {
		fmt.Fprintf(w, "wrote %s\n", d.file)
	}
	if d.property != "" {
		fmt.Fprintf(w, "wrote property %s, snapshot %d\n", d.property, d.snapshot)
	}
}

// only is the ranking of a run that is not from several sources, nor a table.
func (d delivered) only() []instance.Ranked {
	if len(d.Report.Sources) > 0 || d.Shape == algorithms.OfRows {
		return nil
	}
	return d.rankings[0]
}

func (d delivered) bySource() map[string][]instance.Ranked {
	all := map[string][]instance.Ranked{}
	for i, source := range d.Report.Sources {
		if len(d.rankings[i]) > 0 {
			all[source.Source] = d.rankings[i]
		}
	}
	return all
}

// Figures are the figures of a result by their names.
func Figures(computed *instance.Result) map[string]int64 {
	figures := computed.Figures()
	values := make(map[string]int64, len(figures))
	for _, figure := range figures {
		values[figure.Name] = figure.Value
	}
	return values
}

// measures are those of a result by their names.
func measures(computed *instance.Result) map[string]float64 {
	values := map[string]float64{}
	for _, measure := range computed.Measures() {
		values[measure.Name] = measure.Value
	}
	return values
}

// PrintRanked draws a table, with a bar for each value where values are amounts.
func PrintRanked(w io.Writer, column algorithms.Values, ranked []instance.Ranked) {
	amounts := make([]float64, len(ranked))
	for i, r := range ranked {
		amounts[i] = amount(r.Value)
	}
	largest := slices.Max(amounts)
	header := []any{"id", column.Name, ""}
	switch {
	case ranked[0].Path != nil:
		header = []any{"source", "target", "cost", "", "path"}
	case ranked[0].Other != "":
		header = []any{"node1", "node2", "score", ""}
	}
	t := terminal.NewTable(w, header...)
	for i, r := range ranked {
		share := 0.0
		if largest > 0 && amounts[i] > 0 {
			share = amounts[i] / largest
		}
		row := []any{r.ID, valueText(r.Value), terminal.Bar(share)}
		if r.Other != "" {
			row = slices.Insert(row, 1, any(r.Other))
		}
		if r.Path != nil {
			row = append(row, listText(r.Path))
		}
		t.AppendRow(row)
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
	switch v := value.(type) {
	case float64:
		return fmt.Sprintf("%.6g", v)
	case []any:
		return listText(v)
	case nil:
		return ""
	}
	return fmt.Sprint(value)
}

// shown is how many values of a list a table has.
const shown = 4

// listText are the first values of a list, and how many more there are.
func listText(list []any) string {
	var parts []string
	for _, value := range list[:min(len(list), shown)] {
		parts = append(parts, valueText(value))
	}
	if more := len(list) - shown; more > 0 {
		parts = append(parts, fmt.Sprintf("… %d more", more))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func printReport(w io.Writer, r host.Report) {
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
	fmt.Fprintf(w, "%s on %s:%s %s in all, %s computing, on %s (%s, peak %s)\n",
		r.Algorithm, r.Graph, iterations, terminal.Seconds(r.Seconds.Total), terminal.Seconds(r.Seconds.Compute),
		r.Device, r.Schedule, terminal.Bytes(r.PeakDeviceBytes))
	if r.Queue != nil {
		fmt.Fprintf(w, "queue: %s\n", queue(*r.Queue))
	}
	printMissingWalls(w, r.Walls)
}

// printMissingWalls says of each device without which walls it ran.
func printMissingWalls(w io.Writer, walls []host.Wall) {
	for len(walls) > 0 {
		device := walls[0].Device
		var of []terminal.Wall
		for ; len(walls) > 0 && walls[0].Device == device; walls = walls[1:] {
			of = append(of, terminal.Wall{Name: walls[0].Wall, Stands: walls[0].Stands, Why: walls[0].Why})
		}
		if missing := terminal.Missing(of); missing != "" {
			fmt.Fprintf(w, "%s ran without walls: %s\n", device, missing)
		}
	}
}

// printUses draws Scaph's figure: the shares of useful, potentially useful and never used data.
func printUses(w io.Writer, iterations []host.IterationReport) {
	t := terminal.NewTable(w, "iteration", "useful", "later", "never")
	for _, it := range iterations {
		all := float64(it.Use.Useful + it.Use.Potentially + it.Use.Never)
		percent := func(edges uint64) string { return fmt.Sprintf("%.1f %%", 100*float64(edges)/max(all, 1)) }
		t.AppendRow([]any{it.Number, percent(it.Use.Useful), percent(it.Use.Potentially), percent(it.Use.Never)})
	}
	t.Render()
	fmt.Fprintln(w)
}
