package bench

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// WriteSVG draws the costs of an edge by scale.
func (s *Scaling) WriteSVG(w io.Writer) error {
	d := &drawing{Width: plotWidth, BarHeight: barHeight, Height: 40, Title: fmt.Sprintf("%s, %d threads: medians", s.Machine, s.Threads)}
	d.growth(s)
	return d.write(w)
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
