package results

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// WriteSVG draws medians of all kernels on all graphs, on a scale of powers of ten.
func (r *Report) WriteSVG(w io.Writer) error {
	d := &measure.Drawing{Width: measure.PlotWidth, BarHeight: measure.BarHeight, Height: 60,
		Title: fmt.Sprintf("%s, %d threads: medians", r.Machine, r.Threads)}
	legend(d, r)
	for _, g := range r.Graphs {
		graph(d, g)
	}
	return d.Write(w)
}

func legend(d *measure.Drawing, r *Report) {
	x := 20
	for _, way := range measure.Ways {
		used := slices.ContainsFunc(r.Graphs, func(g Graph) bool {
			return slices.ContainsFunc(g.Kernels, func(row Row) bool { return row.Ways.Of(way).Measured() })
		})
		if used {
			d.Legend = append(d.Legend, measure.Rect{X: x, Y: 36, Width: measure.BarHeight, Color: measure.Colors[way],
				Text: way})
			x += 34 + 7*len(way)
		}
	}
}

// graph adds a block of bars, a group for each kernel, with a rule at each power of ten.
func graph(d *measure.Drawing, g Graph) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range g.Kernels {
		for _, t := range row.Ways {
			low, high = min(low, t.Median()), max(high, t.Median())
		}
	}
	if high <= 0 || math.IsInf(low, 0) {
		return
	}
	scale := measure.NewDecades(max(low, 1e-7), high)
	d.Headings = append(d.Headings, measure.Label{X: 20, Y: d.Height + 14, Text: fmt.Sprintf("%s, milliseconds", g.Name)})
	top := d.Height + 20
	d.Height = top
	for _, row := range g.Kernels {
		d.Names = append(d.Names, measure.Label{X: measure.Left - 8, Y: d.Height + len(row.Ways)*measure.BarHeight/2 + 4,
			Text: row.Name})
		for _, t := range row.Ways {
			seconds := t.Median()
			d.Bars = append(d.Bars, measure.Rect{X: measure.Left, Y: d.Height, Width: max(1, scale.At(seconds)),
				Color: measure.Colors[t.Name], Text: measure.Short(seconds * 1e3)})
			d.Height += measure.BarHeight
		}
		d.Height += 6
	}
	for power := scale.Low; power <= scale.High; power++ {
		x := measure.Left + scale.At(math.Pow10(power))
		d.Rules = append(d.Rules, measure.Rule{X1: x, Y1: top, X2: x, Y2: d.Height})
		d.Ticks = append(d.Ticks, measure.Label{X: x, Y: d.Height + 12, Text: fmt.Sprintf("%g", math.Pow10(power+3))})
	}
	d.Height += 34
}
