package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
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
