package scaling

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// WriteSVG draws the costs of an edge by scale.
func (s *Scaling) WriteSVG(w io.Writer) error {
	d := &measure.Drawing{Width: measure.PlotWidth, BarHeight: measure.BarHeight, Height: 40,
		Title: fmt.Sprintf("%s, %d threads: medians", s.Machine, s.Threads)}
	growth(d, s)
	return d.Write(w)
}

// growth adds the chart of time an edge by scale.
func growth(d *measure.Drawing, s *Scaling) {
	var costs []float64
	for _, c := range s.Growth {
		costs = append(costs, c.Nanoseconds...)
	}
	if len(costs) == 0 || slices.Min(costs) <= 0 {
		return
	}
	axis := measure.NewDecades(slices.Min(costs), slices.Max(costs))
	d.Headings = append(d.Headings, measure.Label{X: 20, Y: d.Height + 14,
		Text: "nanoseconds an undirected edge, in process, by RMAT scale"})
	top := d.Height + 30
	bottom := top + measure.ChartHigh
	x := func(i int) int { return measure.Left + i*(measure.Span-100)/max(1, len(s.Sizes)-1) }
	y := func(cost float64) int { return bottom - axis.At(cost)*measure.ChartHigh/measure.Span }
	for power := axis.Low; power <= axis.High; power++ {
		at := y(math.Pow10(power))
		d.Rules = append(d.Rules, measure.Rule{X1: measure.Left, Y1: at, X2: measure.Left + measure.Span - 100, Y2: at})
		d.Names = append(d.Names, measure.Label{X: measure.Left - 8, Y: at + 4, Text: fmt.Sprintf("%g", math.Pow10(power))})
	}
	for i, size := range s.Sizes {
		d.Ticks = append(d.Ticks, measure.Label{X: x(i), Y: bottom + 16, Text: fmt.Sprint(size.Scale)})
	}
	for i, c := range s.Growth {
		color := measure.LineColors[i%len(measure.LineColors)]
		points := ""
		for j, cost := range c.Nanoseconds {
			points += fmt.Sprintf("%d,%d ", x(j), y(cost))
		}
		d.Lines = append(d.Lines, measure.Polyline{Points: points, Color: color})
		d.Legend = append(d.Legend, measure.Rect{X: measure.Left + measure.Span - 80, Y: top + i*18, Width: measure.BarHeight,
			Color: color, Text: c.Kernel})
	}
	d.Height = bottom + 30
}
