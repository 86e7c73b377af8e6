package bench

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
)

//go:embed plot.svg.tmpl
var plotText string

var plot = template.Must(template.New("plot").Parse(plotText))

// Sizes of the drawing, in its own units.
const (
	plotWidth = 860
	left      = 150 // where bars and lines begin
	span      = 600 // how long the longest may be
	barHeight = 11
	chartHigh = 260
)

var colors = map[string]string{
	inProcess: "#0b5fa5", inPlugin: "#3f94d9", openDatabase: "#6fb3e0", wholeProcess: "#b9daf5",
	gapbsKernels: "#c1440e", gapbsProcess: "#eea47f", kuzuQuery: "#6b8e23", gridProcess: "#8a6bb1",
	limitedProcess: "#0b5fa5", limitedGrid: "#8a6bb1",
}

var lineColors = []string{"#0b5fa5", "#c1440e", "#6b8e23", "#8a6bb1", "#c49a00", "#2a9d8f", "#8c564b", "#555555", "#d6457f", "#17a2b8"}

type (
	label struct {
		X, Y int
		Text string
	}
	rect struct {
		X, Y, Width int
		Color       string
		Text        string
	}
	rule struct {
		X1, Y1, X2, Y2 int
	}
	polyline struct {
		Points, Color string
	}
	drawing struct {
		Width, Height, BarHeight int
		Title                    string
		Headings, Names, Ticks   []label
		Legend, Bars             []rect
		Rules                    []rule
		Lines                    []polyline
	}
)

// WriteSVG draws medians of all kernels on all graphs, on a scale of powers of ten.
func (r *Report) WriteSVG(w io.Writer) error {
	d := &drawing{Width: plotWidth, BarHeight: barHeight, Height: 60, Title: fmt.Sprintf("%s, %d threads: medians", r.Machine, r.Threads)}
	d.legend(r)
	for _, g := range r.Graphs {
		d.graph(g)
	}
	return d.write(w)
}

// WriteSVG draws the costs of an edge by scale.
func (s *Scaling) WriteSVG(w io.Writer) error {
	d := &drawing{Width: plotWidth, BarHeight: barHeight, Height: 40, Title: fmt.Sprintf("%s, %d threads: medians", s.Machine, s.Threads)}
	d.growth(s)
	return d.write(w)
}

func (d *drawing) write(w io.Writer) error {
	d.Height += 20
	return plot.Execute(w, d)
}

func (d *drawing) legend(r *Report) {
	x := 20
	for _, way := range ways {
		used := slices.ContainsFunc(r.Graphs, func(g Graph) bool {
			return slices.ContainsFunc(g.Kernels, func(row Row) bool { return row.Ways.of(way).measured() })
		})
		if used {
			d.Legend = append(d.Legend, rect{X: x, Y: 36, Width: barHeight, Color: colors[way], Text: way})
			x += 34 + 7*len(way)
		}
	}
}

// graph adds a block of bars, a group for each kernel, with a rule at each power of ten.
func (d *drawing) graph(g Graph) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range g.Kernels {
		for _, t := range row.Ways {
			low, high = min(low, t.median()), max(high, t.median())
		}
	}
	if high <= 0 || math.IsInf(low, 0) {
		return
	}
	scale := newDecades(max(low, 1e-7), high)
	d.Headings = append(d.Headings, label{20, d.Height + 14, fmt.Sprintf("%s, milliseconds", g.Name)})
	top := d.Height + 20
	d.Height = top
	for _, row := range g.Kernels {
		d.Names = append(d.Names, label{left - 8, d.Height + len(row.Ways)*barHeight/2 + 4, row.Name})
		for _, t := range row.Ways {
			seconds := t.median()
			d.Bars = append(d.Bars, rect{left, d.Height, max(1, scale.at(seconds)), colors[t.Name], short(seconds * 1e3)})
			d.Height += barHeight
		}
		d.Height += 6
	}
	for power := scale.low; power <= scale.high; power++ {
		x := left + scale.at(math.Pow10(power))
		d.Rules = append(d.Rules, rule{x, top, x, d.Height})
		d.Ticks = append(d.Ticks, label{x, d.Height + 12, fmt.Sprintf("%g", math.Pow10(power+3))})
	}
	d.Height += 34
}

// decades is an axis from one power of ten to another.
type decades struct{ low, high int }

func newDecades(low, high float64) decades {
	d := decades{int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))}
	d.high = max(d.high, d.low+1)
	return d
}

func (d decades) at(value float64) int {
	share := (math.Log10(value) - float64(d.low)) / float64(d.high-d.low)
	return int(span * max(0, share))
}

// growth adds the chart of time an edge by scale.
func (d *drawing) growth(s *Scaling) {
	var costs []float64
	for _, c := range s.Growth {
		costs = append(costs, c.Nanoseconds...)
	}
	if len(costs) == 0 || slices.Min(costs) <= 0 {
		return
	}
	axis := newDecades(slices.Min(costs), slices.Max(costs))
	d.Headings = append(d.Headings, label{20, d.Height + 14, "nanoseconds an undirected edge, in process, by RMAT scale"})
	top := d.Height + 30
	bottom := top + chartHigh
	x := func(i int) int { return left + i*(span-100)/max(1, len(s.Sizes)-1) }
	y := func(cost float64) int { return bottom - axis.at(cost)*chartHigh/span }
	for power := axis.low; power <= axis.high; power++ {
		at := y(math.Pow10(power))
		d.Rules = append(d.Rules, rule{left, at, left + span - 100, at})
		d.Names = append(d.Names, label{left - 8, at + 4, fmt.Sprintf("%g", math.Pow10(power))})
	}
	for i, size := range s.Sizes {
		d.Ticks = append(d.Ticks, label{x(i), bottom + 16, fmt.Sprint(size.Scale)})
	}
	for i, c := range s.Growth {
		color := lineColors[i%len(lineColors)]
		points := ""
		for j, cost := range c.Nanoseconds {
			points += fmt.Sprintf("%d,%d ", x(j), y(cost))
		}
		d.Lines = append(d.Lines, polyline{points, color})
		d.Legend = append(d.Legend, rect{left + span - 80, top + i*18, barHeight, color, c.Kernel})
	}
	d.Height = bottom + 30
}

// short is a figure of three digits, or more before the point.
func short(ms float64) string {
	if ms >= 100 {
		return fmt.Sprintf("%.0f", ms)
	}
	return fmt.Sprintf("%.3g", ms)
}
