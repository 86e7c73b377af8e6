package mf

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// plot is times by slack, of each straggler and number of batches, as shares of that without slack.
type plot struct {
	stragglers []float64
	batches    []int
	slacks     []int
	shares     [][]float64 // of each straggler's batches, one after the other: at slack 0, and at each of slacks
}

// The picture, in pixels: a panel of each straggler.
const (
	panelWidth, panelHeight = 280, 260
	panelMargin             = 44
)

// svg draws a panel of each straggler, and in it a line of each number of batches.
func (p plot) svg() string {
	most := 0.0
	for _, line := range p.shares {
		most = max(most, slices.Max(line))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11">`+
		"\n"+`<rect width="100%%" height="100%%" fill="white"/>`+"\n", panelWidth*len(p.stragglers), panelHeight+panelMargin)
	for i, straggler := range p.stragglers {
		p.panel(&b, i, straggler, most)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func (p plot) panel(b *strings.Builder, i int, straggler, most float64) {
	colors := []string{"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728"}
	left, bottom := i*panelWidth+panelMargin, panelHeight-panelMargin/2
	title := "no straggler"
	if straggler > 1 {
		title = fmt.Sprintf("one worker %g times as slow", straggler)
	}
	height := float64(bottom - panelMargin)
	y := func(share float64) float64 { return float64(bottom) - share/most*height }
	x := func(k int) float64 {
		return float64(left) + float64(k*(panelWidth-panelMargin-16))/float64(len(p.slacks))
	}
	fmt.Fprintf(b, `<text x="%d" y="20">%s</text><path d="M%d,%d V%d H%.1f" fill="none" stroke="black"/>`+"\n", left, title,
		left, panelMargin, bottom, x(len(p.slacks)))
	for tenths := 0; float64(tenths)/10 <= most; tenths += 2 {
		share := float64(tenths) / 10
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end">%.1f</text>`+"\n", left-4, y(share)+4, share)
	}
	for k, slack := range append([]int{0}, p.slacks...) {
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`+"\n", x(k), bottom+14, slack)
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">slack</text>`+"\n", x(len(p.slacks))/2+float64(left)/2,
		bottom+28)
	for j, batches := range p.batches {
		var points []string
		for k, share := range p.shares[i*len(p.batches)+j] {
			points = append(points, fmt.Sprintf("%.1f,%.1f", x(k), y(share)))
		}
		fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`+"\n", strings.Join(points, " "),
			colors[j%len(colors)])
		fmt.Fprintf(b, `<text x="%d" y="%d" fill="%s">%d batches an epoch</text>`+"\n", left+8, bottom-8-13*j,
			colors[j%len(colors)], batches)
	}
}

// The picture is well formed, and has a line of each straggler and number of batches with a point of each slack.
func TestPlot(t *testing.T) {
	p := plot{stragglers: []float64{1, 4}, batches: []int{1, 16}, slacks: []int{1, 2},
		shares: [][]float64{{1, 1.1, 1}, {1, 0.9, 0.8}, {1, 0.5, 0.4}, {1, 0.6, 0.5}}}
	lines, points := 0, 0
	for d := xml.NewDecoder(strings.NewReader(p.svg())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, is := token.(xml.StartElement); is && e.Name.Local == "polyline" {
			lines++
			points += len(strings.Fields(e.Attr[0].Value))
		}
	}
	if lines != 4 || points != 12 {
		t.Errorf("%d lines of %d points", lines, points)
	}
}
