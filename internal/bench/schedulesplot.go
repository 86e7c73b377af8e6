package bench

import (
	"fmt"
	"io"
	"slices"
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
	d := &drawing{Width: plotWidth, BarHeight: ratioHigh, Height: 60,
		Title: "bytes to the device over those of schedule whole" + s.linkText()}
	names := s.compared()
	d.series(names)
	for _, g := range s.Graphs {
		d.ratios(g, names)
	}
	return d.write(w)
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
func (d *drawing) ratios(g StreamedGraph, names []string) {
	top := d.Height + 20
	d.Headings = append(d.Headings, label{20, d.Height + 14, g.Name})
	d.Height = top
	for _, row := range g.Rows {
		d.group(row, names)
	}
	for _, ratio := range []float64{0.5, 1, ratioMost} {
		x := left + int(ratio*ratioOne)
		d.Rules = append(d.Rules, rule{x, top, x, d.Height})
		d.Ticks = append(d.Ticks, label{x, d.Height + 12, fmt.Sprintf("%g", ratio)})
	}
	d.Height += 34
}

func (d *drawing) group(row StreamedRow, names []string) {
	whole, is := row.of("whole")
	if !is || whole.transfer() == 0 {
		return
	}
	began := d.Height
	for i, name := range names {
		if c, is := row.of(name); is {
			ratio := c.transfer() / whole.transfer()
			d.Bars = append(d.Bars, rect{left, d.Height, max(1, int(min(ratio, ratioMost)*ratioOne)), lineColors[i%len(lineColors)], fmt.Sprintf("%.2f", ratio)})
			d.Height += ratioHigh
		}
	}
	d.Names = append(d.Names, label{left - 8, (began+d.Height)/2 + 4, row.Kernel + " " + fraction(row.Share)})
	d.Height += 4
}
