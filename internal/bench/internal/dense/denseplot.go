package dense

import (
	"fmt"
	"io"
	"math"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// Sizes of the charts of dense devices, two in a row.
const (
	denseWidth, denseTall = 330, 210
	denseInRow            = 2
)

// WriteSVG draws the whole run of both devices by edges a vertex, on logarithmic axes, a chart for each kernel and kind
// of graph; a ring marks from where on the dense device is the sooner.
func (d *Dense) WriteSVG(w io.Writer) error {
	draw := &measure.Drawing{Width: measure.PlotWidth, BarHeight: measure.BarHeight, Height: 60,
		Title: "cpu and npu, the whole run on a warm device: seconds by edges a vertex"}
	charts := map[string][][]DenseRow{}
	var names []string
	d.series(func(all []DenseRow) {
		name := all[0].Kernel + ", " + all[0].Kind
		if charts[name] == nil {
			names = append(names, name)
		}
		charts[name] = append(charts[name], all)
	})
	denseLegend(draw, charts)
	for i, name := range names {
		dense(draw, 70+i%denseInRow*(denseWidth+90), draw.Height+i/denseInRow*(denseTall+70), name, charts[name])
	}
	draw.Height += (len(names) + denseInRow - 1) / denseInRow * (denseTall + 70)
	return draw.Write(w)
}

// denseColors are of the devices, one for each size of graph.
var denseColors = [2][]string{{"#9ecae1", "#4292c6", "#08519c"}, {"#fdae6b", "#e6550d", "#8c2d04"}}

func denseLegend(d *measure.Drawing, charts map[string][][]DenseRow) {
	var most [][]DenseRow
	for _, chart := range charts {
		if len(chart) > len(most) {
			most = chart
		}
	}
	x := 20
	for device, colors := range denseColors {
		for i, all := range most {
			text := fmt.Sprintf("%s, 2^%d vertices", []string{"cpu", "npu"}[device], all[0].Scale)
			d.Legend = append(d.Legend, measure.Rect{X: x, Y: 36, Width: measure.BarHeight, Color: colors[i%len(colors)],
				Text: text})
			x += 34 + 6*len(text)
		}
	}
}

// dense adds a chart of two lines for each size of graph.
func dense(d *measure.Drawing, x, y int, name string, sizes [][]DenseRow) {
	d.Headings = append(d.Headings, measure.Label{X: x, Y: y + 10, Text: name})
	a := newAxes(x, y+20, sizes)
	for at := math.Ceil(a.low); at <= a.high; at++ {
		_, tick := a.at(1, math.Pow(10, at))
		d.Rules = append(d.Rules, measure.Rule{X1: x, Y1: tick, X2: x + denseWidth, Y2: tick})
		d.Names = append(d.Names, measure.Label{X: x - 4, Y: tick + 4, Text: fmt.Sprintf("%g s", math.Pow(10, at))})
	}
	for factor := a.least; factor <= a.most; factor *= 4 {
		tick, _ := a.at(factor, 1)
		d.Ticks = append(d.Ticks, measure.Label{X: tick, Y: y + 20 + denseTall + 14, Text: fmt.Sprint(factor)})
	}
	for i, all := range sizes {
		lines := [2]string{}
		for _, r := range all {
			for device, turns := range []Turns{r.CPU, r.NPU} {
				if turns.Refused == "" {
					px, py := a.at(r.Factor, turns.median(whole))
					lines[device] += fmt.Sprintf("%d,%d ", px, py)
				}
			}
		}
		for device, points := range lines {
			d.Lines = append(d.Lines, measure.Polyline{Points: points, Color: denseColors[device][i%3]})
		}
		if from := crossing(all, whole); from > 0 {
			mark(d, a, from, all)
		}
	}
}

// mark puts a ring on the dense device's line.
func mark(d *measure.Drawing, a axes, from int, all []DenseRow) {
	for _, r := range all {
		if r.Factor == from {
			px, py := a.at(from, r.NPU.median(whole))
			d.Lines = append(d.Lines, measure.Polyline{Points: fmt.Sprintf("%d,%d %d,%d %d,%d %d,%d %d,%d", px-5, py, px, py-5,
				px+5, py, px, py+5, px-5, py), Color: "#000000"})
		}
	}
}

// axes are logarithmic ones: edges a vertex to the right, seconds up.
type axes struct {
	x, y        int
	least, most int
	low, high   float64 // powers of ten
}

func newAxes(x, y int, sizes [][]DenseRow) axes {
	a := axes{x: x, y: y, least: math.MaxInt, low: math.Inf(1), high: math.Inf(-1)}
	for _, all := range sizes {
		for _, r := range all {
			a.least, a.most = min(a.least, r.Factor), max(a.most, r.Factor)
			for _, turns := range []Turns{r.CPU, r.NPU} {
				if turns.Refused == "" {
					exponent := math.Log10(turns.median(whole))
					a.low, a.high = min(a.low, math.Floor(exponent)), max(a.high, math.Ceil(exponent))
				}
			}
		}
	}
	return a
}

func (a axes) at(factor int, seconds float64) (x, y int) {
	across := math.Log2(float64(factor)/float64(a.least)) / max(1, math.Log2(float64(a.most)/float64(a.least)))
	up := (math.Log10(seconds) - a.low) / max(1, a.high-a.low)
	return a.x + int(across*denseWidth), a.y + denseTall - int(up*denseTall)
}
