package schedules

import (
	"fmt"
	"io"
	"slices"

	"github.com/penstock-db/penstock/internal/bench/internal/measure"
)

// Sizes of the drawing of ratios: one is where a bar is as long as whole's would be.
const (
	ratioOne  = 400
	ratioMost = 1.5
	ratioHigh = 9
)

// WriteSVG draws the bytes that were sent over those of whole, a group of bars for each
// kernel and budget.
func (s *Streaming) WriteSVG(w io.Writer) error {
	d := &measure.Drawing{Width: measure.PlotWidth, BarHeight: ratioHigh, Height: 60,
		Title: "bytes to the device over those of schedule whole" + s.linkText()}
	names := s.compared()
	d.Series(names)
	for _, g := range s.Graphs {
		ratios(d, g, names)
	}
	return d.Write(w)
}

// compared are the schedules, but for whole, that were measured somewhere.
func (s *Streaming) compared() (names []string) {
	for _, g := range s.Graphs {
		for _, row := range g.Rows {
			for _, c := range row.Cells {
				if c.measured() && c.Schedule != "whole" && !slices.Contains(names, c.Schedule) {
					names = append(names, c.Schedule)
				}
			}
		}
	}
	return names
}

// ratios adds a block of bars for a graph, with rules at a half, at one, and where bars end.
func ratios(d *measure.Drawing, g StreamedGraph, names []string) {
	top := d.Height + 20
	d.Headings = append(d.Headings, measure.Label{X: 20, Y: d.Height + 14, Text: g.Name})
	d.Height = top
	for _, row := range g.Rows {
		group(d, row, names)
	}
	for _, ratio := range []float64{0.5, 1, ratioMost} {
		x := measure.Left + int(ratio*ratioOne)
		d.Rules = append(d.Rules, measure.Rule{X1: x, Y1: top, X2: x, Y2: d.Height})
		d.Ticks = append(d.Ticks, measure.Label{X: x, Y: d.Height + 12, Text: fmt.Sprintf("%g", ratio)})
	}
	d.Height += 34
}

func group(d *measure.Drawing, row StreamedRow, names []string) {
	whole, is := row.of("whole")
	if !is || whole.transfer() == 0 {
		return
	}
	began := d.Height
	for i, name := range names {
		if c, is := row.of(name); is {
			ratio := c.transfer() / whole.transfer()
			d.Bars = append(d.Bars, measure.Rect{X: measure.Left, Y: d.Height,
				Width: max(1, int(min(ratio, ratioMost)*ratioOne)), Color: measure.LineColors[i%len(measure.LineColors)],
				Text: fmt.Sprintf("%.2f", ratio)})
			d.Height += ratioHigh
		}
	}
	d.Names = append(d.Names, measure.Label{X: measure.Left - 8, Y: (began+d.Height)/2 + 4, Text: row.Kernel + " " +
		fraction(row.Share)})
	d.Height += 4
}
