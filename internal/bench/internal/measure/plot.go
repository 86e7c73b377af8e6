package measure

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
)

//go:embed plot.svg.tmpl
var plotText string

var plot = template.Must(template.New("plot").Parse(plotText))

// Sizes of the drawing, in its own units.
const (
	PlotWidth = 860
	Left      = 150 // where bars and lines begin
	Span      = 600 // how long the longest may be
	BarHeight = 11
	ChartHigh = 260
)

var Colors = map[string]string{
	InProcess: "#0b5fa5", InPlugin: "#3f94d9", OpenDatabase: "#6fb3e0", WholeProcess: "#b9daf5",
	GapbsKernels: "#c1440e", GapbsProcess: "#eea47f", KuzuQuery: "#6b8e23", GridProcess: "#8a6bb1",
	LimitedProcess: "#0b5fa5", LimitedGrid: "#8a6bb1",
}

var LineColors = []string{"#0b5fa5", "#c1440e", "#6b8e23", "#8a6bb1", "#c49a00", "#2a9d8f", "#8c564b", "#555555",
	"#d6457f", "#17a2b8"}

type (
	Label struct {
		X, Y int
		Text string
	}
	Rect struct {
		X, Y, Width int
		Color       string
		Text        string
	}
	Rule struct {
		X1, Y1, X2, Y2 int
	}
	Polyline struct {
		Points, Color string
	}
	Drawing struct {
		Width, Height, BarHeight int
		Title                    string
		Headings, Names, Ticks   []Label
		Legend, Bars             []Rect
		Rules                    []Rule
		Lines                    []Polyline
	}
)

func (d *Drawing) Write(w io.Writer) error {
	d.Height += 20
	return plot.Execute(w, d)
}

// decades is an axis from one power of ten to another.
type decades struct{ Low, High int }

func NewDecades(low, high float64) decades {
	d := decades{int(math.Floor(math.Log10(low))), int(math.Ceil(math.Log10(high)))}
	d.High = max(d.High, d.Low+1)
	return d
}

func (d decades) At(value float64) int {
	share := (math.Log10(value) - float64(d.Low)) / float64(d.High-d.Low)
	return int(Span * max(0, share))
}

// Short is a figure of three digits, or more before the point.
func Short(ms float64) string {
	if ms >= 100 {
		return fmt.Sprintf("%.0f", ms)
	}
	return fmt.Sprintf("%.3g", ms)
}

// Series adds a legend of names, each in the color of its place.
func (d *Drawing) Series(names []string) {
	x := 20
	for i, name := range names {
		d.Legend = append(d.Legend, Rect{X: x, Y: 36, Width: BarHeight, Color: LineColors[i%len(LineColors)], Text: name})
		x += 34 + 7*len(name)
	}
}
