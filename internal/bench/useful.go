package bench

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
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// Usefulness is how much of the edges is of use, iteration by iteration.
type Usefulness struct {
	Setting
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
func Useful(ctx context.Context, o Options) (*Usefulness, error) {
	if len(o.Kernels) == 0 {
		o.Kernels = streamedKernels
	}
	o.streamed, o.GAPBS, o.Kuzu, o.Grid = true, "", "", ""
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := o.streamable(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "penstock-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	report := &Usefulness{Setting: newSetting(o)}
	for _, name := range o.Graphs {
		g, err := prepare(ctx, dir, name, o.weights(), o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		found, err := g.usefulOn(ctx, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		report.Graphs = append(report.Graphs, *found)
		os.RemoveAll(g.dir)
	}
	report.LoadAfter = loadAverage()
	return report, nil
}

func (g *graph) usefulOn(ctx context.Context, o Options) (*UsefulGraph, error) {
	found := &UsefulGraph{Name: g.name}
	for _, k := range o.chosen() {
		o.step("%s: %s", g.name, k.title())
		err := g.withSnapshot(k.graph(), func(snapshot *store.Snapshot) error {
			shares, err := k.usefulIn(ctx, snapshot, o.Threads)
			found.Kernels = append(found.Kernels, UsefulKernel{k.title(), shares})
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.title(), err)
		}
	}
	return found, nil
}

func (k kernel) usefulIn(ctx context.Context, snapshot *store.Snapshot, threads int) ([]Shares, error) {
	k.plain = true
	if err := k.fromHub(ctx, snapshot); err != nil {
		return nil, err
	}
	s, err := open(ctx, snapshot, k, threads)
	if err != nil {
		return nil, err
	}
	defer s.arena.Close()
	defer s.session.Close()
	return s.waves(ctx)
}

// waves runs the task by Step and Apply, and tells of each iteration what it has use for.
func (s *session) waves(ctx context.Context) (all []Shares, err error) {
	words, err := s.arena.Uint64s(s.task.Layout.Active)
	if err != nil {
		return nil, err
	}
	lists, err := s.lists(ctx)
	if err != nil {
		return nil, err
	}
	t := s.startTalk(ctx)
	defer func() { err = errors.Join(err, t.end()) }()
	for _, upload := range s.uploads {
		t.do(upload)
	}
	accounting := schedule.NewAccounting(s.graph.Vertices, math.MaxInt)
	for e := t.do(plugins.Command{Op: plugins.Init}); e.Iteration != nil && !e.Iteration.Converged; {
		active := schedule.Bitmap(words)
		demand := make([]uint64, len(lists))
		for i, l := range lists {
			demand[i] = active.Demand(l.Rows, l.Degrees, chunk.Places{})
		}
		accounting.Begin(active, demand)
		all = append(all, Shares{Active: float64(active.Count(s.vertices())) / float64(s.graph.Vertices)})
		for _, upload := range s.uploads {
			t.do(plugins.Command{Op: plugins.Step, Chunk: upload.Chunk})
		}
		e = t.do(plugins.Command{Op: plugins.Apply})
	}
	for i, uses := range accounting.Uses(lists) {
		all[i].take(schedule.Total(uses))
	}
	return all, nil
}

func (s *session) vertices() chunk.Interval { return chunk.Interval{Count: s.graph.Vertices} }

// lists are those of all vertices, in each direction.
func (s *session) lists(ctx context.Context) (all []schedule.Lists, err error) {
	for _, d := range s.plan.Directions {
		l := schedule.Lists{Rows: s.vertices(), Degrees: make([]uint32, s.graph.Vertices)}
		if err := s.snapshot.Degrees(ctx, d, l.Degrees); err != nil {
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

func (s *session) startTalk(ctx context.Context) *talk {
	t := &talk{make(chan plugins.Command), make(chan plugins.Event, 1), make(chan error, 1)}
	go func() {
		defer close(t.answers)
		t.ended <- s.session.Execute(ctx, t.commands, func(e plugins.Event) {
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
	u.preamble(&b)
	fmt.Fprintf(&b, "\nOf all vertices, those that are active; of all edges, those of vertices that are active (UD), that are not but will be\n"+
		"(PUD), and that never will be again (NUD). At most %d iterations of each run, evenly spread; the mean of all.\n", shown)
	for _, g := range u.Graphs {
		fmt.Fprintf(&b, "\n## %s\n\n", g.Name)
		header(&b, "kernel", "iteration", "active vertices", "UD", "PUD", "NUD")
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
	line(b, kernel, iteration, percent(s.Active), percent(s.Useful), percent(s.Potential), percent(s.Never))
}

// Sizes of the charts of usefulness, of which there are three in a row.
const (
	chartWidth, chartTall = 210, 100
	chartsInRow           = 3
)

// WriteSVG draws a chart for each kernel of each graph.
func (u *Usefulness) WriteSVG(w io.Writer) error {
	d := &drawing{Width: plotWidth, BarHeight: barHeight, Height: 60, Title: "useful, potentially useful and never used edges, by iteration"}
	d.series([]string{"UD", "PUD", "NUD"})
	for _, g := range u.Graphs {
		for i, k := range g.Kernels {
			d.usefulness(60+i%chartsInRow*(chartWidth+60), d.Height+i/chartsInRow*(chartTall+60), g.Name+", "+k.Kernel, k.Iterations)
		}
		d.Height += (len(g.Kernels) + chartsInRow - 1) / chartsInRow * (chartTall + 60)
	}
	return d.write(w)
}

// usefulness adds a chart of three lines.
func (d *drawing) usefulness(x, y int, name string, iterations []Shares) {
	d.Headings = append(d.Headings, label{x, y + 10, name})
	top, bottom := y+20, y+20+chartTall
	for _, share := range []int{0, 50, 100} {
		at := bottom - share*chartTall/100
		d.Rules = append(d.Rules, rule{x, at, x + chartWidth, at})
		d.Names = append(d.Names, label{x - 4, at + 4, fmt.Sprintf("%d %%", share)})
	}
	d.Ticks = append(d.Ticks, label{x, bottom + 14, "1"}, label{x + chartWidth, bottom + 14, strconv.Itoa(len(iterations))})
	step := max(1, len(iterations)/(chartWidth/3)) // no more points than can be told apart
	for i, share := range []func(Shares) float64{
		func(s Shares) float64 { return s.Useful },
		func(s Shares) float64 { return s.Potential },
		func(s Shares) float64 { return s.Never },
	} {
		points := ""
		for at := 0; at < len(iterations); at += step {
			points += fmt.Sprintf("%d,%d ", x+at*chartWidth/max(1, len(iterations)-1), top+int((1-share(iterations[at]))*chartTall))
		}
		d.Lines = append(d.Lines, polyline{points, lineColors[i]})
	}
}
