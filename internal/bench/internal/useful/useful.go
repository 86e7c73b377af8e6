// Package useful measures which edges each iteration of a kernel has use for.
package useful

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/internal/bench/internal/graphs"
	"github.com/penstock-db/penstock/internal/bench/internal/inprocess"
	"github.com/penstock-db/penstock/internal/bench/internal/kernel"
	"github.com/penstock-db/penstock/internal/bench/internal/measure"
	"github.com/penstock-db/penstock/internal/bench/internal/schedules"
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// Usefulness is how much of the edges is of use, iteration by iteration.
type Usefulness struct {
	measure.Setting
	Graphs []UsefulGraph `json:"graphs"`
}

// UsefulGraph is that of one graph.
type UsefulGraph struct {
	Name    string         `json:"name"`
	Kernels []UsefulKernel `json:"kernels"`
}

// UsefulKernel has an entry for each iteration.
type UsefulKernel struct {
	Kernel     string   `json:"kernel"`
	Iterations []Shares `json:"iterations"`
}

// Shares are those of one iteration: of all vertices the active ones, and of all edges those
// of vertices that are active, that will be once more, and that never will again: useful
// (UD), potentially useful (PUD) and never used data (NUD), as "Scaph" (ATC'20) calls them.
type Shares struct {
	Active    float64 `json:"active"`
	Useful    float64 `json:"useful"`
	Potential float64 `json:"potential"`
	Never     float64 `json:"never"`
}

// Useful runs kernels plainly, in process, and accounts for who was active when.
func Useful(ctx context.Context, o measure.Options) (*Usefulness, error) {
	if len(o.Kernels) == 0 {
		o.Kernels = schedules.StreamedKernels
	}
	o.Streamed, o.GAPBS, o.Kuzu, o.Grid = true, "", "", ""
	if err := kernel.Check(o); err != nil {
		return nil, err
	}
	if err := schedules.Streamable(o); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "penstock-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	report := &Usefulness{Setting: measure.NewSetting(o)}
	for _, name := range o.Graphs {
		g, err := graphs.Prepare(ctx, dir, name, kernel.Weights(o), o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		found, err := usefulOn(ctx, g, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		report.Graphs = append(report.Graphs, *found)
		os.RemoveAll(g.Dir)
	}
	report.LoadAfter = measure.LoadAverage()
	return report, nil
}

func usefulOn(ctx context.Context, g *graphs.Graph, o measure.Options) (*UsefulGraph, error) {
	found := &UsefulGraph{Name: g.Name}
	for _, k := range kernel.Chosen(o) {
		o.Step("%s: %s", g.Name, k.Title())
		err := g.WithSnapshot(k.Graph(), func(snapshot *store.Snapshot) error {
			shares, err := usefulIn(ctx, k, snapshot, o.Threads)
			found.Kernels = append(found.Kernels, UsefulKernel{k.Title(), shares})
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Title(), err)
		}
	}
	return found, nil
}

func usefulIn(ctx context.Context, k kernel.Kernel, snapshot *store.Snapshot, threads int) ([]Shares, error) {
	k.Plain = true
	if err := k.FromHub(ctx, snapshot); err != nil {
		return nil, err
	}
	s, err := inprocess.Open(ctx, snapshot, k, threads)
	if err != nil {
		return nil, err
	}
	defer s.Arena.Close()
	defer s.Session.Close()
	return waves(ctx, s)
}

// waves runs the task by Step and Apply, and tells of each iteration what it has use for.
func waves(ctx context.Context, s *inprocess.Session) (all []Shares, err error) {
	words, err := s.Arena.Uint64s(s.Task.Layout.Active)
	if err != nil {
		return nil, err
	}
	lists, err := lists(ctx, s)
	if err != nil {
		return nil, err
	}
	t := startTalk(ctx, s)
	defer func() { err = errors.Join(err, t.end()) }()
	for _, upload := range s.Uploads {
		t.do(upload)
	}
	accounting := schedule.NewAccounting(s.Graph.Vertices, math.MaxInt)
	for e := t.do(plugins.Command{Op: plugins.Init}); e.Iteration != nil && !e.Iteration.Converged; {
		active := schedule.Bitmap(words)
		demand := make([]uint64, len(lists))
		for i, l := range lists {
			demand[i] = active.Demand(l.Rows, l.Degrees, chunk.Places{})
		}
		accounting.Begin(active, demand)
		all = append(all, Shares{Active: float64(active.Count(vertices(s))) / float64(s.Graph.Vertices)})
		for _, upload := range s.Uploads {
			t.do(plugins.Command{Op: plugins.Step, Chunk: upload.Chunk})
		}
		e = t.do(plugins.Command{Op: plugins.Apply})
	}
	for i, uses := range accounting.Uses(lists) {
		all[i].take(schedule.Total(uses))
	}
	return all, nil
}

func vertices(s *inprocess.Session) chunk.Interval { return chunk.Interval{Count: s.Graph.Vertices} }

// lists are those of all vertices, in each direction.
func lists(ctx context.Context, s *inprocess.Session) (all []schedule.Lists, err error) {
	for _, d := range s.Plan.Directions {
		l := schedule.Lists{Rows: vertices(s), Degrees: make([]uint32, s.Graph.Vertices)}
		if err := s.Snapshot.Degrees(ctx, d, l.Degrees); err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// take makes shares of numbers of edges.
func (s *Shares) take(u schedule.Use) {
	edges := float64(u.Useful + u.Potentially + u.Never)
	s.Useful, s.Potential, s.Never = float64(u.Useful)/edges, float64(u.Potentially)/edges, float64(u.Never)/edges
}

// talk is a session that is given a command only when it has answered the one before.
type talk struct {
	commands chan plugins.Command
	answers  chan plugins.Event
	ended    chan error
}

func startTalk(ctx context.Context, s *inprocess.Session) *talk {
	t := &talk{make(chan plugins.Command), make(chan plugins.Event, 1), make(chan error, 1)}
	go func() {
		defer close(t.answers)
		t.ended <- s.Session.Execute(ctx, t.commands, func(e plugins.Event) {
			if e.Done {
				t.answers <- e
			}
		})
	}()
	return t
}

// do gives the zero Event once the session has ended: end says why.
func (t *talk) do(c plugins.Command) plugins.Event {
	select {
	case t.commands <- c:
		return <-t.answers
	case <-t.answers:
		return plugins.Event{}
	}
}

func (t *talk) end() error {
	close(t.commands)
	return <-t.ended
}

// shown is how many iterations of a run a table has, at most.
const shown = 10

// WriteMarkdown writes a table for each graph, with iterations spread over each run.
func (u *Usefulness) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	u.Preamble(&b)
	fmt.Fprintf(
		&b, "\nOf all vertices, those that are active; of all edges, those of vertices that are active (UD), that are not but will be\n"+
			"(PUD), and that never will be again (NUD). At most %d iterations of each run, evenly spread; the mean of all.\n",
		shown)
	for _, g := range u.Graphs {
		fmt.Fprintf(&b, "\n## %s\n\n", g.Name)
		measure.Header(&b, "kernel", "iteration", "active vertices", "UD", "PUD", "NUD")
		for _, k := range g.Kernels {
			k.markdown(&b)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (k UsefulKernel) markdown(b *strings.Builder) {
	n := len(k.Iterations)
	var sum Shares
	for _, s := range k.Iterations {
		sum = Shares{sum.Active + s.Active, sum.Useful + s.Useful, sum.Potential + s.Potential, sum.Never + s.Never}
	}
	for i := range min(n, shown) {
		at := i
		if n > shown {
			at = i * (n - 1) / (shown - 1)
		}
		k.Iterations[at].line(b, k.Kernel, strconv.Itoa(at+1), 1)
	}
	if n > 0 {
		sum.line(b, k.Kernel, fmt.Sprintf("mean of %d", n), float64(n))
	}
}

func (s Shares) line(b *strings.Builder, kernel, iteration string, of float64) {
	percent := func(share float64) string { return fmt.Sprintf("%.1f %%", 100*share/of) }
	measure.Line(b, kernel, iteration, percent(s.Active), percent(s.Useful), percent(s.Potential), percent(s.Never))
}

// Sizes of the charts of usefulness, of which there are three in a row.
const (
	chartWidth, chartTall = 210, 100
	chartsInRow           = 3
)

// WriteSVG draws a chart for each kernel of each graph.
func (u *Usefulness) WriteSVG(w io.Writer) error {
	d := &measure.Drawing{Width: measure.PlotWidth, BarHeight: measure.BarHeight, Height: 60,
		Title: "useful, potentially useful and never used edges, by iteration"}
	d.Series([]string{"UD", "PUD", "NUD"})
	for _, g := range u.Graphs {
		for i, k := range g.Kernels {
			usefulness(d, 60+i%chartsInRow*(chartWidth+60), d.Height+i/chartsInRow*(chartTall+60), g.Name+", "+k.Kernel,
				k.Iterations)
		}
		d.Height += (len(g.Kernels) + chartsInRow - 1) / chartsInRow * (chartTall + 60)
	}
	return d.Write(w)
}

// usefulness adds a chart of three lines.
func usefulness(d *measure.Drawing, x, y int, name string, iterations []Shares) {
	d.Headings = append(d.Headings, measure.Label{X: x, Y: y + 10, Text: name})
	top, bottom := y+20, y+20+chartTall
	for _, share := range []int{0, 50, 100} {
		at := bottom - share*chartTall/100
		d.Rules = append(d.Rules, measure.Rule{X1: x, Y1: at, X2: x + chartWidth, Y2: at})
		d.Names = append(d.Names, measure.Label{X: x - 4, Y: at + 4, Text: fmt.Sprintf("%d %%", share)})
	}
	d.Ticks = append(d.Ticks, measure.Label{X: x, Y: bottom + 14, Text: "1"},
		measure.Label{X: x + chartWidth, Y: bottom + 14, Text: strconv.Itoa(len(iterations))})
	step := max(1, len(iterations)/(chartWidth/3)) // no more points than can be told apart
	for i, share := range []func(Shares) float64{
		func(s Shares) float64 { return s.Useful },
		func(s Shares) float64 { return s.Potential },
		func(s Shares) float64 { return s.Never },
	} {
		points := ""
		for at := 0; at < len(iterations); at += step {
			points += fmt.Sprintf("%d,%d ", x+at*chartWidth/max(1, len(iterations)-1), top+
				int((1-share(iterations[at]))*chartTall))
		}
		d.Lines = append(d.Lines, measure.Polyline{Points: points, Color: measure.LineColors[i]})
	}
}
