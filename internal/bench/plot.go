package bench

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

func (d *drawing) write(w io.Writer) error {
	d.Height += 20
	return plot.Execute(w, d)
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

// short is a figure of three digits, or more before the point.
func short(ms float64) string {
	if ms >= 100 {
		return fmt.Sprintf("%.0f", ms)
	}
	return fmt.Sprintf("%.3g", ms)
}

// series adds a legend of names, each in the color of its place.
func (d *drawing) series(names []string) {
	x := 20
	for i, name := range names {
		d.Legend = append(d.Legend, rect{X: x, Y: 36, Width: barHeight, Color: lineColors[i%len(lineColors)], Text: name})
		x += 34 + 7*len(name)
	}
}
